import { isTerminal } from '@plugfest/a2a';
import type { DriveResult } from '../driver/drive.ts';
import type { ScenarioContext } from './context.ts';

/** What was made of a task while it should still be running. */
export interface Attempt {
  readonly taskId: string;
  readonly results: readonly DriveResult[];
  /** The task was over already, though no call says so by failing. */
  readonly tooLate?: boolean;
}

const longMs = 8000;

/**
 * Tries something with a task that runs for so long, in milliseconds. A busy machine can take longer than that to call;
 * where a call failed and the task has ended, it is tried once more with a longer one. What then fails is no matter of
 * speed.
 */
export async function beforeTheEnd<T extends Attempt>(
  context: Pick<ScenarioContext, 'call'>,
  attempt: (workMs: number) => Promise<T>,
  shortMs = 1200,
): Promise<T> {
  const first = await attempt(shortMs);
  if (first.tooLate === true) return attempt(longMs);
  if (first.results.every(({ ok }) => ok)) return first;
  const [task] = (await context.call({ op: 'GetTask', taskId: first.taskId })).events;
  return task?.kind === 'task' && isTerminal(task.state) ? attempt(longMs) : first;
}
