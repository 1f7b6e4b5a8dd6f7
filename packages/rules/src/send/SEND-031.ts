import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation, Sighting } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { seenBefore } from '../before.ts';
import { refusalOf, wasServed } from '../refusal.ts';
import { isSameCaller } from '../same-caller.ts';

const asks: ReadonlySet<unknown> = new Set(['GetTask', 'CancelTask', 'SubscribeToTask']);

/** The task that a call asks for, where the agent named it to this caller in a direct reply and never showed it. */
function namedTask(
  { captured, operation, request }: DecodedExchange,
  conversation: Conversation,
): { readonly taskId: string; readonly named: Sighting } | undefined {
  const { params } = request;
  if (!asks.has(operation) || !isJsonObject(params) || typeof params.id !== 'string') return undefined;
  const { callee } = captured.edge;
  const taskId = params.id;
  const named = conversation.namedInReply(callee, taskId);
  if (named === undefined || conversation.task(callee, taskId) !== undefined) return undefined;
  return isSameCaller(named.exchange, captured) && seenBefore(named, captured)
    ? { taskId, named }
    : undefined;
}

const send = rpc({
  method: 'SendMessage',
  params: { message: v1.message('hello') },
  result: { message: v1.reply('hi', { taskId: 'task-1' }) },
});
const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const error = { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] };

export default defineRule({
  id: 'SEND-031',
  level: 'MUST',
  party: 'server',
  summary: 'A direct Message names a task only where there is one.',
  spec: { '1.0': '4.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { none: 'The reply names task {task}, which the agent does not find when it is asked for it' },
  why: 'The client keeps the id, polls for the task and writes to it, and fails each time.',
  fix: 'Leave `taskId` out of a reply that no task stands behind.',
  examples: {
    good: [[send, rpc({ ...get, result: v1.task('COMPLETED') })]],
    skip: [
      [send],
      [rpc({ ...get, result: v1.task('COMPLETED') }), send, rpc({ ...get, result: v1.task('COMPLETED') })],
    ],
    bad: [
      { example: [send, rpc({ ...get, error })], messages: ['none'] },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ message: v1.reply('hi', { taskId: 'task-1' }) }],
          }),
          rpc({ ...get, error }),
        ],
        messages: ['none'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const isAnswered = wasServed(exchange) || refusalOf(exchange)?.name === 'TaskNotFoundError';
    return isAnswered && namedTask(exchange, conversation) !== undefined;
  },
  check: (exchange, { conversation, report }) => {
    const found = namedTask(exchange, conversation);
    if (found === undefined || wasServed(exchange)) return;
    const { named, taskId } = found;
    const { side, event, pointer } = named;
    report('none', {
      exchange: named.exchange,
      data: { task: taskId },
      at: { side, pointer: `${pointer}/taskId`, ...(event === undefined ? {} : { event }) },
      expected: 'no taskId, or a task',
      actual: taskId,
    });
  },
});
