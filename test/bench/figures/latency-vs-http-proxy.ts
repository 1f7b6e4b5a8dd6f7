import { defineFigure } from '../figure.ts';
import { compareProxies, ratioOf } from '../peers/compare.ts';

/** Time that the recording proxy adds to an answer, p50 of one connection, against what is added by bare http-proxy that records nothing. */
export default defineFigure({
  name: 'proxy.latency-p50.vs-http-proxy',
  unit: 'ratio',
  target: 0.9,
  better: 'lower',
  async measure() {
    const comparison = await compareProxies(
      'http-proxy',
      { type: 'requests', connections: 1, durationMs: 400 },
      9,
      (result) => result.p50Us,
    );
    const { value, detail } = ratioOf(
      comparison,
      (round) => (round.ours - round.direct) / (round.theirs - round.direct),
    );
    return { value, detail: { ...detail, of: 'microseconds, p50' } };
  },
});
