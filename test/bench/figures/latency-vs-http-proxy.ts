import { defineFigure } from '../figure.ts';
import { compareProxies } from '../peers/compare.ts';

/** Median time to an answer on one connection, recording, against bare http-proxy that records nothing. */
export default defineFigure({
  name: 'proxy.latency-p50.vs-http-proxy',
  unit: 'ratio',
  target: 0.9,
  better: 'lower',
  async measure() {
    const { ratio, detail } = await compareProxies(
      'http-proxy',
      { type: 'requests', connections: 1, durationMs: 1000 },
      5,
      (result) => result.p50Us,
    );
    return { value: ratio, detail: { ...detail, of: 'microseconds, p50' } };
  },
});
