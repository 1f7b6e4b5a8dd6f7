import { median, rounded } from '../figure.ts';
import type { Order, Result } from './messages.ts';
import { Peer } from './processes.ts';

export interface Round {
  readonly ours: number;
  readonly theirs: number;
  /** The same load on the callee itself. */
  readonly direct: number;
}

export interface Comparison {
  readonly rounds: readonly Round[];
  readonly detail: Readonly<Record<string, unknown>>;
}

const warmUpMs = 1500;

/**
 * Puts the same load on the recording proxy, on another one and on the callee itself, in turns and in one run.
 * Rounds are short and many, so that noise of the machine hits all of them alike. The details hold the
 * processor time of a request too, which hardly depends on what else the machine does.
 */
export async function compareProxies(
  other: string,
  order: Omit<Order, 'port'>,
  roundCount: number,
  value: (result: Result) => number,
): Promise<Comparison> {
  await using upstream = await Peer.start('upstream');
  await using ours = await Peer.start('recording-proxy', String(upstream.port));
  await using theirs = await Peer.start(other, String(upstream.port));
  await using load = await Peer.start('load');
  const cpu = new Map<Peer, number[]>([
    [ours, []],
    [theirs, []],
  ]);
  const measure = async (peer: Peer, durationMs: number): Promise<number> => {
    const perRequest = cpu.get(peer);
    const before = perRequest === undefined ? 0 : await peer.cpuUs();
    const result = await load.run({ ...order, durationMs, port: peer.port });
    if (perRequest !== undefined) perRequest.push(((await peer.cpuUs()) - before) / result.count);
    return value(result);
  };

  for (const peer of [ours, theirs]) await measure(peer, warmUpMs);
  for (const perRequest of cpu.values()) perRequest.length = 0;
  const rounds: Round[] = [];
  for (let round = 0; round < roundCount; round++) {
    const measured = new Map<Peer, number>();
    // Who goes first alternates, so that a drift of the machine favours nobody.
    const turn = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
    for (const peer of [...turn, upstream]) measured.set(peer, await measure(peer, order.durationMs));
    const of = (peer: Peer): number => measured.get(peer) ?? Number.NaN;
    rounds.push({ ours: of(ours), theirs: of(theirs), direct: of(upstream) });
  }
  const middle = (pick: (round: Round) => number): number => rounded(median(rounds.map(pick)), 1);
  return {
    rounds,
    detail: {
      ours: middle((round) => round.ours),
      [other]: middle((round) => round.theirs),
      direct: middle((round) => round.direct),
      cpuUsPerRequest: {
        ours: rounded(median(cpu.get(ours) ?? []), 1),
        [other]: rounded(median(cpu.get(theirs) ?? []), 1),
      },
      connections: order.connections,
      rounds: roundCount,
    },
  };
}

/** Median of a ratio over the rounds, with the ratios themselves. */
export function ratioOf(
  comparison: Comparison,
  ratio: (round: Round) => number,
): { readonly value: number; readonly detail: Readonly<Record<string, unknown>> } {
  const ratios = comparison.rounds.map(ratio);
  return {
    value: median(ratios),
    detail: { ...comparison.detail, ratios: ratios.map((each) => rounded(each, 2)) },
  };
}
