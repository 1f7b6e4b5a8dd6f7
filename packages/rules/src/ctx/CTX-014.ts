import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf } from '../refusal.ts';
import { placeOf, sentMessage } from '../sent-message.ts';

const started = rpc({
  method: 'SendMessage',
  params: { message: v1.message('a flight') },
  result: { task: v1.task('COMPLETED') },
});
const referring = (...ids: readonly string[]) => ({
  message: v1.message('and a hotel', { contextId: 'ctx-1', referenceTaskIds: ids }),
});
const next = { task: v1.task('COMPLETED', { id: 'task-2' }) };
const notFound = { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] };

export default defineRule({
  id: 'CTX-014',
  level: 'SHOULD',
  party: 'client',
  summary: 'The tasks in `referenceTaskIds` are tasks that the agent has shown.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { unknown: 'The message refers to task {task}, which the agent has not shown and does not know' },
  why: 'The agent looks in vain for what the message builds on, and refuses it or answers without it.',
  fix: 'Refer only to tasks of the same agent, by the ids that it gave.',
  examples: {
    good: [
      [started, rpc({ method: 'SendMessage', params: referring('task-1'), result: next })],
      [started, rest({ verb: 'POST', path: '/message:send', body: referring('task-1'), response: next })],
      // A task that the agent knows from before the capture.
      [started, rpc({ method: 'SendMessage', params: referring('task-1', 'task-0'), result: next })],
    ],
    skip: [
      [started],
      // The task may have been shown before the capture began.
      [rpc({ method: 'SendMessage', params: referring('task-0'), result: next })],
    ],
    bad: [
      {
        example: [started, rpc({ method: 'SendMessage', params: referring('task-0'), error: notFound })],
        messages: ['unknown'],
      },
      {
        example: [
          started,
          rpc({ method: 'SendMessage', params: referring('task-1', 'task-0'), error: notFound }),
        ],
        messages: ['unknown'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const references = sentMessage(exchange)?.message.referenceTaskIds ?? [];
    if (references.length === 0) return false;
    const compared = references.slice(0, comparedTasks);
    const isSeen = (id: string): boolean => wasShown(id, exchange, conversation);
    if (compared.every(isSeen)) return true;
    const isCut = conversation.gapBetween(0, exchange.captured.request.atNs);
    return !isCut && (isNotFound(exchange) || compared.some(isSeen)) ? true : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const sent = sentMessage(exchange);
    if (sent === undefined || !isNotFound(exchange)) return;
    sent.message.referenceTaskIds.slice(0, comparedTasks).forEach((task, i) => {
      if (wasShown(task, exchange, conversation)) return;
      report('unknown', {
        data: { task },
        at: placeOf(sent, `/referenceTaskIds/${i}`),
        expected: 'the id of a task that the agent gave out',
        actual: task,
      });
    });
  },
});

/** A message may refer to as many tasks as it likes. */
const comparedTasks = 64;

const wasShown = (id: string, { captured }: DecodedExchange, conversation: Conversation): boolean =>
  conversation.task(captured.edge.callee, id) !== undefined;

/** The agent did not find a task, and the message continues none: one that it refers to is not there. */
const isNotFound = (exchange: DecodedExchange): boolean =>
  refusalOf(exchange)?.name === 'TaskNotFoundError' && !sentMessage(exchange)?.message.taskId;
