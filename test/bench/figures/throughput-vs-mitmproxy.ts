import { mitmproxyVersion } from '../../../tools/reference-tools.ts';
import { defineFigure } from '../figure.ts';
import { compareProxies, ratioOf } from '../peers/compare.ts';

/** Requests per second at 32 connections, recording, against `mitmdump -w` in reverse mode. */
export default defineFigure({
  name: 'proxy.throughput.vs-mitmproxy',
  unit: 'ratio',
  target: 10,
  better: 'higher',
  async measure() {
    const version = await mitmproxyVersion();
    const comparison = await compareProxies(
      'mitmproxy',
      { type: 'requests', connections: 32, durationMs: 1000 },
      5,
      (result) => result.perSecond,
    );
    const { value, detail } = ratioOf(comparison, (round) => round.ours / round.theirs);
    return { value, detail: { ...detail, version, of: 'requests per second' } };
  },
});
