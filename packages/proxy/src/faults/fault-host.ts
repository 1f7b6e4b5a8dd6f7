import type { Change, ExchangeId, Side } from '@plugfest/model';
import type { Problem } from '../problem.ts';
import type { FaultPlace } from './fault-set.ts';

/** What faults need of the exchange that they act on. */
export interface FaultHost {
  readonly exchange: ExchangeId;
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly place: FaultPlace;
  /** True for a GET of an agent card. */
  readonly card: boolean;
  /** True once the exchange has its end. */
  readonly ended: boolean;
  change(change: Change): void;
  note(topic: string, text: string): void;
  /** Records the end and leaves the callee. */
  endByFault(detail: string, reset: boolean): void;
  /** The same for a request that went nowhere, with an answer for the caller. */
  answerByFault(answer: Problem, detail: string): void;
  /** Stops reading from whoever speaks on this side; and goes on. */
  pause(side: Side): void;
  resume(side: Side): void;
  /** Sends the held request once more after a while, on a connection of its own; tells what became of it. */
  sendAgain(gapMs: number, body: Buffer, headers: readonly string[], tell: (what: string) => void): void;
}
