import type { TaskState } from '@plugfest/model';
import type { ScenarioContext } from './context.ts';
import { checkState, clip, requireTask } from './expect.ts';

/** A send whose task ends, or halts, in a given state with a given status text. */
export async function checkEnding(
  context: ScenarioContext,
  prefix: string,
  state: TaskState,
  text: string,
): Promise<void> {
  const task = requireTask(context, 'SendMessage', await context.send({ text: prefix }));
  checkState(context, 'the task', task.state, state);
  context.check('the status says why', task.text === text, clip(task.text) || 'no text');
}
