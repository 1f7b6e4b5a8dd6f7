import { defineFigure } from '../figure.ts';
import { compareProxies } from '../peers/compare.ts';

/** Requests per second at 32 connections, recording, against bare http-proxy that records nothing. */
export default defineFigure({
  name: 'proxy.throughput.vs-http-proxy',
  unit: 'ratio',
  target: 1.5,
  better: 'higher',
  async measure() {
    const { ratio, detail } = await compareProxies(
      'http-proxy',
      { type: 'requests', connections: 32, durationMs: 1500 },
      5,
      (result) => result.perSecond,
    );
    return { value: ratio, detail: { ...detail, of: 'requests per second' } };
  },
});
