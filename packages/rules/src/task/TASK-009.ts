import { isJsonObject } from '@plugfest/model';
import type { Conversation, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpc, rpc, v03 } from '@plugfest/verifier/examples';
import { seenBefore } from '../before.ts';
import { isSameCaller } from '../same-caller.ts';
import { returnedTasks } from '../sent-message.ts';
import { historyLimitOf } from './history-limit.ts';

const message = (id: string, taskId?: string) => ({
  messageId: id,
  role: 'ROLE_USER',
  content: [{ text: id }],
  ...(taskId === undefined ? {} : { taskId, contextId: 'ctx-1' }),
});
const task = (...history: readonly string[]) => ({
  id: 'task-1',
  contextId: 'ctx-1',
  status: { state: 'TASK_STATE_INPUT_REQUIRED' },
  history: history.map((id) => message(id, 'task-1')),
});
const get = (...history: readonly string[]) =>
  grpc({ version: '0.3', method: 'GetTask', request: { name: 'tasks/task-1' }, response: task(...history) });
const getFew = grpc({
  version: '0.3',
  method: 'GetTask',
  request: { name: 'tasks/task-1', historyLength: 1 },
  response: task('m-2'),
});
const send = (...history: readonly string[]) =>
  grpc({
    version: '0.3',
    method: 'SendMessage',
    request: { message: message('m-3', 'task-1'), configuration: { blocking: true } },
    response: { task: task(...history) },
  });

/** The longest history that this caller was shown of the task before, and the length of that in the answer. */
function histories(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): { readonly before: number; readonly now: number; readonly pointer: string } | undefined {
  const [shown] = returnedTasks(exchange);
  if (shown === undefined) return undefined;
  const { captured } = exchange;
  const seen = conversation.task(captured.edge.callee, shown.task.id)?.observations ?? [];
  const before = seen
    .filter((each) => isSameCaller(each.exchange, captured) && seenBefore(each, captured))
    .reduce((most, { historyLength = 0 }) => Math.max(most, historyLength), 0);
  return { before, now: shown.task.history?.length ?? 0, pointer: `${shown.pointer}/history` };
}

export default defineRule({
  id: 'TASK-009',
  level: 'MUST',
  party: 'server',
  summary:
    'Up to 0.3 a history_length of 0 over gRPC, which is also none at all, asks for the whole history.',
  spec: { '0.2': 'a2a.proto', '0.3': '3.2.2' },
  bindings: ['GRPC'],
  scope: 'exchange',
  about: ['GetTask', 'SendMessage'],
  messages: { fewer: 'The history has {now} messages without a limit; the agent showed {before} before' },
  why: '1.0 reversed the meaning of 0, and an agent that serves both versions with one piece of code leaves out the history that older clients rely on. The proto says it of sends; for GetTask it is a warning.',
  fix: 'Translate 0 of the older service to no limit before the request gets to code for 1.0.',
  examples: {
    good: [
      [get('m-1', 'm-2'), get('m-1', 'm-2')],
      [get('m-1', 'm-2'), send('m-1', 'm-2', 'm-3')],
    ],
    skip: [
      [get('m-1', 'm-2')],
      [get('m-1', 'm-2'), getFew],
      [
        get('m-1', 'm-2'),
        grpc({ version: '0.3', method: 'CancelTask', request: { name: 'tasks/task-1' }, response: task() }),
      ],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    bad: [
      { example: [get('m-1', 'm-2'), send()], messages: ['fewer'] },
      { example: [get('m-1', 'm-2'), get()], messages: ['fewer'], outcomes: ['warn'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const { operation, request } = exchange;
    if (operation !== 'GetTask' && operation !== 'SendMessage') return false;
    if (!isJsonObject(request.json.value) || (historyLimitOf(exchange) ?? 0) !== 0) return false;
    return (histories(exchange, conversation)?.before ?? 0) > 0;
  },
  check: (exchange, { conversation, report }) => {
    const found = histories(exchange, conversation);
    if (found === undefined || found.now >= found.before) return;
    report('fewer', {
      ...(exchange.operation === 'GetTask' ? { outcome: 'warn' as const } : {}),
      data: { now: found.now, before: found.before },
      at: { side: 'response', pointer: found.pointer },
      expected: `at least ${found.before} messages`,
      actual: found.now,
    });
  },
});
