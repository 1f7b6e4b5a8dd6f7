import type { CellId, FaultSwitch } from '@plugfest/model';
import type { StartedAgent } from '../agents/start.ts';
import type { HttpClient } from '../client/http.ts';
import type { Clock } from '../clock.ts';
import type { Checks } from '../scenario/checks.ts';
import type { Random } from '../seeded.ts';
import type { WebhookReceiver } from '../webhook/receiver.ts';
import type { Peer, PlannedCell } from './cells.ts';
import type { Taps } from './taps.ts';

/** An agent that runs. */
export interface LivePeer extends Peer {
  readonly started: StartedAgent;
  /** That it ended by itself and was started again, and how it had ended; undefined where it did not. */
  revived(): string | undefined;
}

/** How many calls a caller has begun in a cell. */
export type CallsSeen = (caller: string, callee: string, cell: CellId) => number;

export interface CellWorld {
  readonly cell: PlannedCell;
  readonly server: LivePeer;
  /** Undefined where Plugfest is the client. */
  readonly client: LivePeer | undefined;
  /** All agents of the lab, by name. */
  readonly peers: ReadonlyMap<string, LivePeer>;
  readonly taps: Taps;
  readonly http: HttpClient;
  readonly webhooks: WebhookReceiver;
  /** Undefined where the interposer plays no faults. */
  readonly faults: FaultSwitch | undefined;
  /** Undefined where the lab has nobody who has to be asked in words. */
  readonly callsSeen: CallsSeen | undefined;
  /** Called where somebody else makes the calls in the client's place. */
  readonly onStandIn: (name: string) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly checks: Checks;
  readonly signal: AbortSignal;
}
