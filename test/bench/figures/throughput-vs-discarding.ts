import { defineFigure } from '../figure.ts';
import { compareProxies, ratioOf } from '../peers/compare.ts';

/** What recording leaves of the throughput of our own proxy: requests per second at 32 connections, against a sink that discards. */
export default defineFigure({
  name: 'proxy.throughput.vs-discarding',
  unit: 'ratio',
  target: 0.9,
  better: 'higher',
  async measure() {
    const comparison = await compareProxies(
      'discarding-proxy',
      { type: 'requests', connections: 32, durationMs: 500 },
      9,
      (result) => result.perSecond,
    );
    const { value, detail } = ratioOf(comparison, (round) => round.ours / round.theirs);
    return { value, detail: { ...detail, of: 'requests per second' } };
  },
});
