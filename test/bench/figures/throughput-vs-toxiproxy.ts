import { toxiproxy } from '../../../tools/reference-tools.ts';
import { defineFigure } from '../figure.ts';
import { compareProxies, ratioOf } from '../peers/compare.ts';

/**
 * Requests per second at 32 connections, recording, against Toxiproxy, which makes faults in TCP: it reads nothing of
 * what it passes on, like a bare pipe, and has as many threads as there are cores.
 */
export default defineFigure({
  name: 'proxy.throughput.vs-toxiproxy',
  unit: 'ratio',
  target: 0.4,
  better: 'higher',
  async measure() {
    const { version } = await toxiproxy();
    const comparison = await compareProxies(
      'toxiproxy',
      { type: 'requests', connections: 32, durationMs: 500 },
      9,
      (result) => result.perSecond,
    );
    const { value, detail } = ratioOf(comparison, (round) => round.ours / round.theirs);
    return { value, detail: { ...detail, version, of: 'requests per second' } };
  },
});
