import { isTerminal } from '@plugfest/a2a';
import type { TaskState } from '@plugfest/model';
import type { TaskEvent } from '../driver/drive.ts';
import type { ScenarioContext } from './context.ts';
import { requireTask, short } from './expect.ts';

type Polling = Pick<ScenarioContext, 'call' | 'sleep' | 'random' | 'require' | 'check'>;

const firstMs = 100;
const growth = 1.6;
const longestMs = 1000;
const mostPolls = 20;

/**
 * Asks for a task until it is in a terminal state, or in another that is waited for: waits grow from 100 ms to 1 s, each varied by up to a quarter,
 * so that many clients of one server do not ask in step. Ends the scenario where 20 answers were not enough.
 */
export async function pollTask(
  context: Polling,
  taskId: string,
  isAwaited: (state: TaskState) => boolean = isTerminal,
): Promise<TaskEvent> {
  let waitMs = firstMs;
  let task: TaskEvent | undefined;
  for (let poll = 0; poll < mostPolls; poll += 1) {
    await context.sleep(waitMs * (0.75 + context.random.next() / 2));
    waitMs = Math.min(longestMs, waitMs * growth);
    const result = await context.call({ op: 'GetTask', taskId });
    const [event] = result.events;
    if (result.ok && event?.kind === 'task' && event.taskId === taskId && !isAwaited(event.state)) {
      task = event;
      continue;
    }
    task = requireTask(context, 'GetTask', result);
    context.require('GetTask tells the task asked for', task.taskId === taskId, `it told ${task.taskId}`);
    return task;
  }
  context.require(
    `the task comes so far within ${mostPolls} polls`,
    false,
    `it is still ${short(task?.state)}`,
  );
  throw new Error('unreachable: require(false) throws');
}
