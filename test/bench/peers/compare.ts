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
 * processor time of a request too, which hardly depends on what else the machine does. Those `beside` have their turn as
 * well, for the details.
 */
export async function compareProxies(
  other: string,
  order: Omit<Order, 'port'>,
  roundCount: number,
  value: (result: Result) => number,
  beside: readonly string[] = [],
): Promise<Comparison> {
  await using upstream = await Peer.start('upstream');
  await using ours = await Peer.start('recording-proxy', String(upstream.port));
  await using theirs = await Peer.start(other, String(upstream.port));
  const others: Peer[] = [];
  await using _others = {
    [Symbol.asyncDispose]: async () => {
      for (const peer of others) await peer[Symbol.asyncDispose]();
    },
  };
  for (const name of beside) others.push(await Peer.start(name, String(upstream.port)));
  await using load = await Peer.start('load');
  const proxies = [ours, theirs, ...others];
  const cpu = new Map<Peer, number[]>(proxies.map((peer) => [peer, []]));
  const measure = async (peer: Peer, durationMs: number): Promise<number> => {
    const perRequest = cpu.get(peer);
    const before = perRequest === undefined ? 0 : await peer.cpuUs();
    const result = await load.run({ ...order, durationMs, port: peer.port });
    if (perRequest !== undefined) perRequest.push(((await peer.cpuUs()) - before) / result.count);
    return value(result);
  };

  for (const peer of proxies) await measure(peer, warmUpMs);
  for (const perRequest of cpu.values()) perRequest.length = 0;
  const rounds: Round[] = [];
  const further = new Map<Peer, number[]>(others.map((peer) => [peer, []]));
  for (let round = 0; round < roundCount; round++) {
    const measured = new Map<Peer, number>();
    // Who goes first alternates, so that a drift of the machine favours nobody.
    const turn = round % 2 === 0 ? proxies : proxies.toReversed();
    for (const peer of [...turn, upstream]) measured.set(peer, await measure(peer, order.durationMs));
    const of = (peer: Peer): number => measured.get(peer) ?? Number.NaN;
    rounds.push({ ours: of(ours), theirs: of(theirs), direct: of(upstream) });
    for (const [peer, values] of further) values.push(of(peer));
  }
  const middle = (pick: (round: Round) => number): number => rounded(median(rounds.map(pick)), 1);
  return {
    rounds,
    detail: {
      ours: middle((round) => round.ours),
      [other]: middle((round) => round.theirs),
      ...Object.fromEntries([...further].map(([{ name }, values]) => [name, rounded(median(values), 1)])),
      direct: middle((round) => round.direct),
      cpuUsPerRequest: Object.fromEntries(
        [...cpu].map(([peer, values]) => [peer === ours ? 'ours' : peer.name, rounded(median(values), 1)]),
      ),
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
