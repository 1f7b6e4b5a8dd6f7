import { mockttp, versionOf } from '../../../tools/reference-tools.ts';
import { defineFigure } from '../figure.ts';
import { compareProxies, ratioOf } from '../peers/compare.ts';

/** Requests per second at 32 connections, recording, against mockttp that forwards and records nothing. */
export default defineFigure({
  name: 'proxy.throughput.vs-mockttp',
  unit: 'ratio',
  target: 4,
  better: 'higher',
  async measure() {
    const version = versionOf(await mockttp());
    const comparison = await compareProxies(
      'mockttp',
      { type: 'requests', connections: 32, durationMs: 500 },
      9,
      (result) => result.perSecond,
    );
    const { value, detail } = ratioOf(comparison, (round) => round.ours / round.theirs);
    return { value, detail: { ...detail, version, of: 'requests per second' } };
  },
});
