import { defineFigure, median, rounded } from '../figure.ts';
import { Peer } from '../peers/processes.ts';

/** Time that the recording proxy adds to a unary gRPC call, p50 of one connection: through it, less without it. */
export default defineFigure({
  name: 'proxy.grpc-delay-p50-ms',
  unit: 'ms',
  target: 1,
  better: 'lower',
  async measure() {
    await using upstream = await Peer.start('grpc-upstream');
    await using proxy = await Peer.start('recording-proxy', String(upstream.port));
    await using load = await Peer.start('grpc-load');
    const p50 = async (port: number): Promise<number> =>
      (await load.run({ type: 'calls', port, connections: 1, durationMs: 600 })).p50Us;
    for (const port of [upstream.port, proxy.port]) await p50(port);
    const rounds: [number, number][] = [];
    for (let round = 0; round < 7; round++) rounds.push([await p50(upstream.port), await p50(proxy.port)]);
    return {
      value: median(rounds.map(([direct, through]) => through - direct)) / 1000,
      detail: {
        directUs: rounds.map(([direct]) => rounded(direct, 1)),
        throughUs: rounds.map(([, through]) => rounded(through, 1)),
        connections: 1,
      },
    };
  },
});
