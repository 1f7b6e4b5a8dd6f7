import type { CellId, ExchangeSummary } from '@plugfest/model';
import { anyCell, noCell } from './inbound-calls.ts';
import { isSend } from './sends.ts';

/** The first and the last call that had to do with a task. */
export interface TaskCalls {
  readonly first: number;
  readonly last: number;
}

interface Entry {
  sends: { first: number; last: number } | undefined;
  /** First subscription, for a recording that began after the send. */
  subscription: number | undefined;
  readonly cell: CellId | undefined;
  /** The agent handed out this id in more than one cell, so that the id alone names no task. */
  reused: boolean;
}

/** Which send made which task, by the agent that runs it. */
export class TaskMakers {
  readonly #entries = new Map<string, Entry>();

  add(index: number, summary: ExchangeSummary): void {
    const subscribes = summary.operation === 'SubscribeToTask';
    if (!isSend(summary) && !subscribes) return;
    for (const task of summary.taskIds) {
      for (const scope of [summary.cell ?? noCell, anyCell]) {
        const key = keyOf(summary.callee, task, scope);
        const entry = this.#entries.get(key) ?? newEntry(summary.cell);
        this.#entries.set(key, entry);
        entry.reused ||= entry.cell !== summary.cell;
        if (subscribes) entry.subscription ??= index;
        else entry.sends = { first: entry.sends?.first ?? index, last: index };
      }
    }
  }

  /** Looks in the cell first, then among calls of no cell, then in the whole run. */
  of(agent: string, task: string, cell: string | undefined): TaskCalls | undefined {
    const scopes = cell === undefined ? [anyCell] : [cell, noCell, anyCell];
    const entries = scopes
      .map((scope) => this.#entries.get(keyOf(agent, task, scope)))
      .filter((entry) => entry?.reused === false);
    const sends = entries.find((entry) => entry?.sends !== undefined)?.sends;
    if (sends !== undefined) return sends;
    const index = entries.find((entry) => entry?.subscription !== undefined)?.subscription;
    return index === undefined ? undefined : { first: index, last: index };
  }
}

const newEntry = (cell: CellId | undefined): Entry => ({
  sends: undefined,
  subscription: undefined,
  cell,
  reused: false,
});

const keyOf = (agent: string, task: string, scope: string): string => `${agent}\u0000${task}\u0000${scope}`;
