import { median, rounded } from '../figure.ts';
import type { Order, Result } from './messages.ts';
import { Peer } from './processes.ts';

export interface Comparison {
  /** Median over the rounds of ours against the other's. */
  readonly ratio: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

const warmUpMs = 1000;

/**
 * Puts the same load on the recording proxy and on another one, in turns and in one run, so that noise of the
 * machine hits both.
 */
export async function compareProxies(
  other: string,
  order: Omit<Order, 'port'>,
  rounds: number,
  value: (result: Result) => number,
): Promise<Comparison> {
  await using upstream = await Peer.start('upstream');
  await using ours = await Peer.start('recording-proxy', String(upstream.port));
  await using theirs = await Peer.start(other, String(upstream.port));
  await using load = await Peer.start('load');
  const measure = async (proxy: Peer, durationMs = order.durationMs): Promise<number> =>
    value(await load.run({ ...order, durationMs, port: proxy.port }));

  await measure(ours, warmUpMs);
  await measure(theirs, warmUpMs);
  const values: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    // Who goes first alternates, so that a drift of the machine favours nobody.
    if (round % 2 === 0) {
      const mine = await measure(ours);
      values.push([mine, await measure(theirs)]);
    } else {
      const baseline = await measure(theirs);
      values.push([await measure(ours), baseline]);
    }
  }
  const ratios = values.map(([mine, baseline]) => mine / baseline);
  return {
    ratio: median(ratios),
    detail: {
      ...ours.detail,
      ours: rounded(median(values.map(([mine]) => mine)), 1),
      [other]: rounded(median(values.map(([, baseline]) => baseline)), 1),
      ratios: ratios.map((ratio) => rounded(ratio, 2)),
      connections: order.connections,
    },
  };
}
