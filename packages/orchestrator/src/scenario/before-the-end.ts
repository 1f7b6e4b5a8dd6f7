import { isTerminal } from '@plugfest/a2a';
import type { DriveResult } from '../driver/drive.ts';
import type { ScenarioContext } from './context.ts';

/** What was made of a task while it should still be running. */
export interface Attempt {
  readonly taskId: string;
  readonly results: readonly DriveResult[];
}

const workMs = [1200, 8000] as const;

/**
 * Tries something with a task that runs for 1.2 s. A busy machine can take longer than that to call; where a call failed
 * and the task has ended, it is tried once more with a longer one. What then fails is no matter of speed.
 */
export async function beforeTheEnd<T extends Attempt>(
  context: Pick<ScenarioContext, 'call'>,
  attempt: (workMs: number) => Promise<T>,
): Promise<T> {
  const [shortMs, longMs] = workMs;
  const first = await attempt(shortMs);
  if (first.results.every(({ ok }) => ok)) return first;
  const [task] = (await context.call({ op: 'GetTask', taskId: first.taskId })).events;
  return task?.kind === 'task' && isTerminal(task.state) ? attempt(longMs) : first;
}
