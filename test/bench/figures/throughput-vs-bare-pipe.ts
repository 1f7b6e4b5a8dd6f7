import { defineFigure } from '../figure.ts';
import { compareProxies, ratioOf } from '../peers/compare.ts';

/** Requests per second at 32 connections, recording, against sockets piped into each other by Node.js, which nobody reads. */
export default defineFigure({
  name: 'proxy.throughput.vs-bare-pipe',
  unit: 'ratio',
  target: 0.4,
  better: 'higher',
  async measure() {
    const comparison = await compareProxies(
      'bare-pipe',
      { type: 'requests', connections: 32, durationMs: 500 },
      9,
      (result) => result.perSecond,
      ['discarding-proxy'],
    );
    const { value, detail } = ratioOf(comparison, (round) => round.ours / round.theirs);
    return { value, detail: { ...detail, of: 'requests per second' } };
  },
});
