import type { ContextHistory, Conversation, TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';

const ask = rpc({
  method: 'SendMessage',
  params: { message: v1.message('a flight') },
  result: { task: v1.task('INPUT_REQUIRED') },
});
const answerWith = (more: Parameters<typeof v1.message>[1], id: string) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('to Rome', { contextId: 'ctx-1', ...more }) },
    result: { task: v1.task('COMPLETED', { id }) },
  });

/** Tasks of a context that are compared; a long conversation has thousands. */
const comparedTasks = 64;

export default defineRule({
  id: 'CTX-011',
  level: 'MUST',
  party: 'client',
  summary: 'The answer to a task that waits for input names this task.',
  spec: { '0.3': '9.4', '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'context',
  messages: {
    abandoned: 'Task {task} waits for input; the next message in its context names no task and starts {next}',
  },
  why: 'The agent starts anew without what was said, and asks again; the waiting task stays open for ever. A client may also leave a task and begin another on purpose, so this is a warning.',
  fix: 'Send `taskId` and `contextId` of the waiting task with the answer; cancel the task where nobody wants to answer.',
  examples: {
    good: [
      [ask, answerWith({ taskId: 'task-1' }, 'task-1')],
      [
        ask,
        answerWith({ taskId: 'task-1' }, 'task-1'),
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('and back', { contextId: 'ctx-1', referenceTaskIds: ['task-1'] }) },
          result: { task: v1.task('COMPLETED', { id: 'task-2' }) },
        }),
      ],
    ],
    skip: [
      [ask],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      { example: [ask, answerWith({}, 'task-2')], messages: ['abandoned'] },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('a flight') },
            result: v03.task('input-required'),
          }),
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('to Rome', { contextId: 'ctx-1' }) },
            result: v03.task('completed', { id: 'task-2' }),
          }),
        ],
        messages: ['abandoned'],
      },
    ],
  },
  when: (context, { conversation }) => {
    let cut = false;
    for (const { task, look } of waiting(context, conversation)) {
      if (touched(task, look)) return true;
      const next = successor(context, conversation, look);
      if (next === undefined) continue;
      if (!conversation.gapBetween(look.atNs, next.exchange.startNs)) return true;
      cut = true;
    }
    return cut ? 'undecidable' : false;
  },
  check: (context, { conversation, report }) => {
    for (const { task, look } of waiting(context, conversation)) {
      if (touched(task, look)) continue;
      const next = successor(context, conversation, look);
      // The answer to the task may not have been recorded.
      if (next === undefined || conversation.gapBetween(look.atNs, next.exchange.startNs)) continue;
      report('abandoned', {
        outcome: 'warn',
        exchange: next.exchange,
        data: { task: task.id, next: next.id },
        at: { side: 'request' },
        expected: task.id,
      });
    }
  },
});

/** Tasks of the context that waited for input, with the moment when they began to. */
function waiting({ agent, taskIds }: ContextHistory, conversation: Conversation) {
  return taskIds.slice(0, comparedTasks).flatMap((id) => {
    const task = conversation.task(agent, id);
    const look = task?.observations.find(({ state }) => state === 'TASK_STATE_INPUT_REQUIRED');
    return task === undefined || look === undefined ? [] : [{ task, look }];
  });
}

/** Somebody answered, cancelled or watched the task afterwards, or it went on by itself. */
function touched({ actions, observations }: TaskHistory, look: TaskObservation): boolean {
  const last = observations.at(-1);
  return (
    actions.some(({ atNs }) => atNs >= look.atNs) ||
    (last !== undefined && last.state !== undefined && last.state !== look.state)
  );
}

/** The first task that the same client started in the context after that moment. */
function successor({ agent, taskIds }: ContextHistory, conversation: Conversation, look: TaskObservation) {
  for (const id of taskIds.slice(0, comparedTasks)) {
    const [first] = conversation.task(agent, id)?.observations ?? [];
    if (first === undefined || (first.channel !== 'send' && first.channel !== 'stream')) continue;
    const { exchange } = first;
    if (exchange.startNs < look.atNs || exchange.edge.caller !== look.exchange.edge.caller) continue;
    return { id, exchange };
  }
  return undefined;
}
