import type { DriveCall, TaskEvent } from '../driver/drive.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, requireOk, requireTask } from '../scenario/expect.ts';

const count = 3;
const pageSize = 2;

type Filters = Omit<Extract<DriveCall, { op: 'ListTasks' }>, 'op'>;

export default defineScenario({
  id: 'list-tasks',
  title: 'List tasks',
  summary:
    'The tasks of one context are listed page by page, newest first, by state, with and without artifacts.',
  clients: 'any',
  versions: ['1.0'],
  needs: ['behaviours', 'listTasks'],
  hops: [{ from: 'client', to: 'server', operation: 'ListTasks', min: 4 }],
  run: async (context: ScenarioContext) => {
    const made: TaskEvent[] = [];
    for (let number = 1; number <= count; number += 1) {
      const contextId = made[0]?.contextId;
      const text = number === count ? 'plugfest-ask' : 'plugfest-echo';
      const message = { text: `${text} ${context.nonce()}`, ...(contextId ? { contextId } : {}) };
      made.push(requireTask(context, `send ${number}`, await context.send(message)));
      // Tasks are ordered by the time of their status, which has milliseconds.
      await context.sleep(20);
    }
    const newestFirst = made.map(({ taskId }) => taskId).reverse();
    const { contextId = '' } = made[0] ?? {};

    const first = await list(context, 'page 1', { contextId, pageSize });
    context.check(
      `page 1 has ${pageSize} tasks`,
      first.tasks.length === pageSize,
      `${first.tasks.length} tasks`,
    );
    context.require('page 1 leads to a next page', first.next !== '', 'nextPageToken is empty');
    const second = await list(context, 'page 2', { contextId, pageSize, pageToken: first.next });
    context.check('the last page leads nowhere', second.next === '', 'nextPageToken is not empty');
    const seen = [...first.tasks, ...second.tasks];
    const ids = seen.map(({ taskId }) => taskId);
    context.check(
      'each task is listed once, and no other',
      ids.length === count && made.every(({ taskId }) => ids.includes(taskId)),
      `${ids.length} listed, ${made.filter(({ taskId }) => ids.includes(taskId)).length} of the ${count} made here`,
    );
    // A2A 1.0 section 3.1.4: by the time of the status, descending.
    context.check(
      'the newest comes first',
      ids.join() === newestFirst.join(),
      `${ids.join(', ')}; made last: ${newestFirst[0]}`,
    );
    context.check(
      'artifacts are left out unless asked for',
      seen.every(({ artifacts }) => artifacts.length === 0),
      'a listed task has artifacts',
    );

    const waiting = await list(context, 'the list by state', {
      contextId,
      status: 'TASK_STATE_INPUT_REQUIRED',
    });
    context.check(
      'the list by state has the one task in it',
      waiting.tasks.length === 1 && waiting.tasks[0]?.taskId === newestFirst[0],
      `${waiting.tasks.length} tasks`,
    );
    for (const { state } of waiting.tasks)
      checkState(context, 'a task listed by state', state, 'TASK_STATE_INPUT_REQUIRED');

    const full = await list(context, 'the list with artifacts', { contextId, includeArtifacts: true });
    const finished = full.tasks.filter(({ state }) => state === 'TASK_STATE_COMPLETED');
    context.check(
      'finished tasks are listed with their artifacts when asked for',
      finished.length === count - 1 && finished.every(({ artifacts }) => artifacts.length === 1),
      `artifacts: ${full.tasks.map(({ artifacts }) => artifacts.length).join(', ')}`,
    );
  },
});

async function list(
  context: ScenarioContext,
  what: string,
  filters: Filters,
): Promise<{ readonly tasks: readonly TaskEvent[]; readonly next: string }> {
  const result = await context.call({ op: 'ListTasks', ...filters });
  requireOk(context, what, result);
  const tasks = result.events.flatMap((event) => (event.kind === 'task' ? [event] : []));
  const page = result.events.find((event) => event.kind === 'page');
  context.require(`${what} says what comes next`, page?.kind === 'page', 'no nextPageToken was told');
  return { tasks, next: page.nextPageToken };
}
