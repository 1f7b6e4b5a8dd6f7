import type { CaptureSink, EdgeId, EdgeKind, ExchangeId, RunId } from '@plugfest/model';
import type { Assignment } from './assignment.ts';
import type { CardWatch } from './cards/card-watch.ts';
import type { Duplicates } from './faults/duplicates.ts';
import type { Candidates } from './faults/fault-set.ts';
import type { HeldBytes } from './rewriting/held-bytes.ts';
import type { Rewriter } from './rewriting/rewriter.ts';
import type { UpstreamTarget } from './upstream/upstream.ts';
import type { WebhookDeliveries } from './webhooks/deliveries.ts';

/** What every exchange of one tap shares. */
export interface TapContext {
  readonly sink: CaptureSink;
  readonly run: RunId;
  readonly edge: EdgeId;
  readonly caller: string;
  readonly callee: string;
  readonly kind: EdgeKind;
  /** The cell of what begins now. */
  readonly assignment: Assignment;
  readonly target: UpstreamTarget;
  /** Put into `Via`, to find loops; absent where nothing is injected. */
  readonly loopMark: string | undefined;
  /** Present in `rewrite` mode, towards agents. */
  readonly rewriter: Rewriter | undefined;
  /** Present in the other modes, towards agents. */
  readonly cardWatch: CardWatch | undefined;
  /** Present in `rewrite` mode, towards webhook receivers. */
  readonly deliveries: WebhookDeliveries | undefined;
  /** Value of `Host` for the callee; absent leaves the caller's. */
  readonly host: string | undefined;
  /** True where callers are told of the tap as their proxy, so that some of their fields are meant for it. */
  readonly isProxy: boolean;
  readonly connectTimeoutMs: number;
  /** How long a request body that has to be looked at may take to arrive before it is passed on unread. */
  readonly holdTimeoutMs: number;
  /** Faults that may act on an exchange of this tap at the moment; absent where the session has none. */
  readonly faults: (() => Candidates | undefined) | undefined;
  /** Requests that faults send a second time. */
  readonly duplicates: Duplicates;
  /** Paths at which the callee has its card beside those of the protocol. */
  cardPaths(): ReadonlySet<string> | undefined;
  /** What may be held of requests at once, by all taps. */
  readonly heldBytes: HeldBytes;
  nextExchange(): ExchangeId;
  /** True for a connection to `listening` that the interposer itself opened, from this address and port. */
  isOwnConnection(
    address: string | undefined,
    port: number | undefined,
    listening: number | undefined,
  ): boolean;
  /** True once the tap is closing: new requests are refused. */
  closing(): boolean;
}
