import { defineFigure, median, rounded } from '../figure.ts';
import { Peer } from '../peers/processes.ts';

/** Time that the recording proxy adds to a server-sent event, p50: through it, less without it. */
export default defineFigure({
  name: 'proxy.sse-delay-p50-ms',
  unit: 'ms',
  target: 1,
  better: 'lower',
  async measure() {
    await using upstream = await Peer.start('upstream');
    await using proxy = await Peer.start('recording-proxy', String(upstream.port));
    await using load = await Peer.start('load');
    const p50 = async (port: number): Promise<number> =>
      (await load.run({ type: 'events', port, connections: 8, durationMs: 1000 })).p50Us;
    await p50(proxy.port);
    const rounds: [number, number][] = [];
    for (let round = 0; round < 3; round++) rounds.push([await p50(upstream.port), await p50(proxy.port)]);
    return {
      value: median(rounds.map(([direct, through]) => through - direct)) / 1000,
      detail: {
        directUs: rounds.map(([direct]) => rounded(direct, 1)),
        throughUs: rounds.map(([, through]) => rounded(through, 1)),
        streams: 8,
      },
    };
  },
});
