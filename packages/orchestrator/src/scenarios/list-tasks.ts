import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireTask, short } from '../scenario/expect.ts';

export default defineScenario({
  id: 'list-tasks',
  title: 'List tasks',
  summary: 'The tasks of one context are listed, page by page, and no others.',
  clients: 'raw',
  versions: ['1.0'],
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'ListTasks', min: 2 }],
  run: async (context: ScenarioContext) => {
    const first = requireTask(
      context,
      'SendMessage',
      await context.send({ text: `plugfest-echo ${context.nonce()}` }),
    );
    const { contextId } = first;
    const second = requireTask(
      context,
      'the second send',
      await context.send({ text: `plugfest-echo ${context.nonce()}`, contextId }),
    );
    const made = [first.taskId, second.taskId];
    const seen: string[] = [];
    let pageToken: string | undefined;
    for (let page = 1; page <= 2; page += 1) {
      const listing = await context.listTasks({
        contextId,
        pageSize: 1,
        ...(pageToken ? { pageToken } : {}),
      });
      context.require(
        `page ${page} comes`,
        listing.ok,
        `HTTP ${listing.status}, error ${listing.errorName ?? 'unnamed'}`,
      );
      context.check(`page ${page} has one task`, listing.tasks.length === 1, `${listing.tasks.length} tasks`);
      for (const { taskId, state } of listing.tasks) {
        seen.push(taskId);
        context.check('a listed task is COMPLETED', state === 'TASK_STATE_COMPLETED', short(state));
      }
      pageToken = listing.nextPageToken || undefined;
      if (page === 1)
        context.require('page 1 leads to a next page', pageToken !== undefined, 'nextPageToken is empty');
    }
    context.check('the last page leads nowhere', pageToken === undefined, 'nextPageToken is not empty');
    context.check(
      'both tasks are listed once, and no other',
      seen.length === 2 && made.every((taskId) => seen.includes(taskId)),
      `${new Set(seen).size} different tasks, ${seen.filter((taskId) => made.includes(taskId)).length} of them made here`,
    );
  },
});
