import { RawDriver } from '../driver/raw-driver.ts';
import type { Onward } from '../scenario/context.ts';
import { callsOf } from './calls.ts';
import type { CellWorld } from './cell-world.ts';
import { type CellTaps, resolverUrl } from './taps.ts';

interface OnwardParts {
  readonly world: Pick<CellWorld, 'peers' | 'http' | 'signal'>;
  readonly cellTaps: CellTaps;
  readonly messageId: () => string;
}

/** Further agents that `caller` calls in a cell. */
export function onwardOf(
  caller: string,
  names: readonly string[],
  { world: { peers, http, signal }, cellTaps, messageId }: OnwardParts,
): readonly Onward[] {
  return names.flatMap((name) => {
    const peer = peers.get(name);
    if (!peer) return [];
    const receiver = peers.get(caller);
    return [
      {
        name,
        dialects: peer.dialects,
        url: async () => {
          const url = resolverUrl(await cellTaps.address(caller, peer.started), peer.started);
          cellTaps.claim(caller, name);
          return url;
        },
        tapDeliveries: async () => {
          if (!receiver) throw new Error(`${caller} has no receiver of its own`);
          await cellTaps.tapDeliveries(name, receiver.started);
        },
        calls: async (dialect) => {
          const address = await cellTaps.address('plugfest', peer.started);
          return callsOf(new RawDriver(http, address, dialect), messageId, signal);
        },
      },
    ];
  });
}
