import { defineFigure } from '../figure.ts';
import { compareProxies, ratioOf } from '../peers/compare.ts';

/** Requests per second at 32 connections, recording, against bare http-proxy that records nothing. */
export default defineFigure({
  name: 'proxy.throughput.vs-http-proxy',
  unit: 'ratio',
  target: 1.5,
  better: 'higher',
  async measure() {
    const comparison = await compareProxies(
      'http-proxy',
      { type: 'requests', connections: 32, durationMs: 500 },
      9,
      (result) => result.perSecond,
    );
    const { value, detail } = ratioOf(comparison, (round) => round.ours / round.theirs);
    return { value, detail: { ...detail, of: 'requests per second' } };
  },
});
