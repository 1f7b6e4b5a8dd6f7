import type { ExchangeSummary, TaskState } from '@plugfest/model';
import { isSend } from './sends.ts';

const running: ReadonlySet<TaskState> = new Set(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);

/** States in which an agent does nothing more of its own accord (A2A 1.0 section 4.1.3). */
const settled: ReadonlySet<TaskState> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
]);

interface Observed {
  /** Times at which the task was seen settled, ascending. */
  readonly settledNs: number[];
  lastSeenNs: number;
}

/** Task ids are per server: two agents may hand out the same one. */
const owned = (agent: string, task: string): string => `${agent}\u0000${task}`;

/** When each task was seen, and seen settled, by anybody. */
export class TaskLedger {
  readonly #tasks = new Map<string, Observed>();

  constructor(ordered: readonly ExchangeSummary[]) {
    for (const summary of ordered) this.#observe(summary);
    for (const task of this.#tasks.values()) task.settledNs.sort((a, b) => a - b);
  }

  /** The end of the exchange, or of the work that it left running. */
  activeUntilNs(summary: ExchangeSummary): number {
    if (summary.end === 'open') return Number.POSITIVE_INFINITY;
    if (!isSend(summary) || summary.state === undefined || !running.has(summary.state)) return summary.endNs;
    let until = summary.endNs;
    for (const id of summary.taskIds) {
      const task = this.#tasks.get(owned(summary.callee, id));
      if (task === undefined) continue;
      const after = firstAtOrAfter(task.settledNs, summary.startNs);
      until = Math.max(until, after ?? task.lastSeenNs);
    }
    return until;
  }

  #observe(summary: ExchangeSummary): void {
    const webhook = summary.kind === 'webhook';
    if (!webhook && summary.kind !== 'operation') return;
    // A list says something of many tasks at once; the summary cannot tell which.
    const [id, ...more] = summary.taskIds;
    if (id === undefined || more.length > 0) return;
    const key = owned(webhook ? summary.caller : summary.callee, id);
    const task = this.#tasks.get(key) ?? { settledNs: [], lastSeenNs: 0 };
    this.#tasks.set(key, task);
    task.lastSeenNs = Math.max(task.lastSeenNs, summary.endNs);
    const event = summary.events.find(({ state }) => state !== undefined && settled.has(state));
    if (event !== undefined) task.settledNs.push(event.atNs);
    else if (summary.state !== undefined && settled.has(summary.state)) {
      task.settledNs.push(webhook ? summary.startNs : (summary.responseNs ?? summary.endNs));
    }
  }
}

function firstAtOrAfter(ascending: readonly number[], value: number): number | undefined {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return ascending[low];
}
