import { defineFigure, median, rounded } from '../figure.ts';
import { Peer } from '../peers/processes.ts';

/** How late the proxy's event loop is under load, p99: recording, against a sink that discards. */
export default defineFigure({
  name: 'proxy.loop-delay-p99.recording-vs-off',
  unit: 'ratio',
  target: 1.5,
  better: 'lower',
  async measure() {
    await using upstream = await Peer.start('upstream');
    const watched = (name: string): Promise<Peer> => Peer.start(name, String(upstream.port), 'loop-delay');
    await using recording = await watched('recording-proxy');
    await using off = await watched('discarding-proxy');
    await using load = await Peer.start('load');
    const delay = async (peer: Peer) => {
      // The loop of a proxy that has nothing to do is late for other reasons.
      await peer.usage();
      await load.run({ type: 'requests', port: peer.port, connections: 32, durationMs: 1000 });
      const { loopDelayMs } = await peer.usage();
      if (loopDelayMs === undefined) throw new Error(`${peer.name} does not watch its event loop`);
      return loopDelayMs;
    };
    for (const peer of [recording, off]) await delay(peer);
    const rounds: {
      readonly on: number;
      readonly off: number;
      readonly maxOn: number;
      readonly maxOff: number;
    }[] = [];
    for (let round = 0; round < 7; round++) {
      const turn = round % 2 === 0 ? [recording, off] : [off, recording];
      const seen = new Map<Peer, { readonly p99: number; readonly max: number }>();
      for (const peer of turn) seen.set(peer, await delay(peer));
      const of = (peer: Peer) => seen.get(peer) ?? { p99: Number.NaN, max: Number.NaN };
      rounds.push({
        on: of(recording).p99,
        off: of(off).p99,
        maxOn: of(recording).max,
        maxOff: of(off).max,
      });
    }
    const middle = (pick: (round: (typeof rounds)[number]) => number): number =>
      rounded(median(rounds.map(pick)), 2);
    return {
      value: median(rounds.map((round) => round.on / round.off)),
      detail: {
        p99Ms: { recording: middle((round) => round.on), off: middle((round) => round.off) },
        maxMs: { recording: middle((round) => round.maxOn), off: middle((round) => round.maxOff) },
        connections: 32,
        rounds: rounds.length,
      },
    };
  },
});
