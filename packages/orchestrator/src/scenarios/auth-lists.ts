import type { Calls, ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireOk, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'auth-lists',
  title: "Others' lists",
  summary:
    "Each of two principals lists its own tasks only, whatever it filters by, also after a message into the other's context.",
  clients: 'any',
  versions: ['1.0'],
  needs: ['auth', 'behaviours', 'listTasks'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    { from: 'client', to: 'server', operation: 'ListTasks', min: 4 },
  ],
  run: async (context: ScenarioContext) => {
    const [first = '', second = ''] = context.principals;
    const owner = context.with({ as: first });
    const other = context.with({ as: second });
    const mine = requireTask(
      context,
      'the send of the first principal',
      await owner.send({ text: `plugfest-echo ${context.nonce()}` }),
    );
    const theirs = requireTask(
      context,
      'the send of the second principal',
      await other.send({ text: `plugfest-echo ${context.nonce()}` }),
    );
    // Into a context that it should not know of: it may be refused, or get a task of its own.
    const intruding = await context.probing
      .with({ as: second })
      .send({ text: `plugfest-echo ${context.nonce()}`, contextId: mine.contextId });
    const intruders = intruding.events.flatMap((event) => (event.kind === 'task' ? [event.taskId] : []));
    context.check(
      'a message into the context of the first gets no task of the first',
      !intruders.includes(mine.taskId),
      intruders.join(', '),
    );

    const { contextId } = mine;
    const seenByOther = await idsOf(context, other, 'the list of the second');
    context.check(
      "the second's list has its own task",
      seenByOther.includes(theirs.taskId),
      list(seenByOther),
    );
    context.check(
      "the second's list has no task of the first",
      !seenByOther.includes(mine.taskId),
      list(seenByOther),
    );
    const filtered = await idsOf(context, other, "the second's list of the first's context", { contextId });
    context.check(
      "the second's list of the first's context has no task of the first",
      !filtered.includes(mine.taskId),
      list(filtered),
    );
    const own = await idsOf(context, owner, "the first's list of its context", { contextId });
    context.check("the first's list of its context has its task", own.includes(mine.taskId), list(own));
    context.check(
      "the first's list of its context has no task of the second",
      !intruders.some((id) => own.includes(id)),
      list(own),
    );
    const all = await idsOf(context, owner, 'the list of the first');
    context.check("the first's list has no task of the second", !all.includes(theirs.taskId), list(all));
  },
});

async function idsOf(
  context: ScenarioContext,
  calls: Calls,
  what: string,
  filters: { readonly contextId?: string } = {},
): Promise<readonly string[]> {
  const result = await calls.call({ op: 'ListTasks', pageSize: 100, ...filters });
  requireOk(context, what, result);
  return result.events.flatMap((event) => (event.kind === 'task' ? [event.taskId] : []));
}

function list(ids: readonly string[]): string {
  return ids.length > 5
    ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more`
    : ids.join(', ') || 'none';
}
