import type { ExchangeSummary, Participant, TraceContext } from '@plugfest/model';
import { parseTraceparent } from '@plugfest/model';
import { isSend } from './sends.ts';
import { TaskLedger } from './task-ledger.ts';

/** How an inbound call may cause what its callee does next; cards and the like cause nothing. */
type CauseTier = 'work' | 'query';

/** One exchange, prepared for linking. Its place in the list is its order in time. */
export interface Hop {
  readonly summary: ExchangeSummary;
  /** Sends make or continue tasks; everything else asks about them. */
  readonly send: boolean;
  readonly tier: CauseTier | undefined;
  /**
   * When the callee was last known to be at work for this call: the end of the exchange, or where the reply
   * left a task running, the moment that task was seen to have settled.
   */
  readonly activeUntilNs: number;
  /** Trace context that the callee was given. */
  readonly given: TraceContext | undefined;
}

function tierOf(summary: ExchangeSummary): CauseTier | undefined {
  switch (summary.kind) {
    case 'webhook':
      return 'work';
    case 'operation':
      if (summary.operation === undefined || isSend(summary)) return 'work';
      return summary.operation === 'GetExtendedAgentCard' ? undefined : 'query';
    case 'other':
      return 'query';
    case 'card':
      return undefined;
  }
}

/** Orders by start, then by observation: imports may have no clock, and two clocks may disagree. */
export function prepareHops(summaries: readonly ExchangeSummary[]): readonly Hop[] {
  const ordered = [...summaries].sort((a, b) => a.startNs - b.startNs || a.seq - b.seq);
  const ledger = new TaskLedger(ordered);
  return ordered.map((summary) => ({
    summary,
    send: isSend(summary),
    tier: tierOf(summary),
    activeUntilNs: ledger.activeUntilNs(summary),
    given: parseTraceparent(summary.forwardedTraceparent ?? summary.traceparent),
  }));
}

/** Names of those whose calls need no cause: Plugfest's own client and webhook receiver. */
export function harnessNames(participants: readonly Participant[]): ReadonlySet<string> {
  return new Set(participants.filter((each) => each.kind === 'harness').map((each) => each.name));
}
