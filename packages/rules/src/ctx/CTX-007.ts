import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf } from '../refusal.ts';
import { placeOf, sentMessage } from '../sent-message.ts';

const started = rpc({
  method: 'SendMessage',
  params: { message: v1.message('a flight') },
  result: { task: v1.task('INPUT_REQUIRED') },
});
const more = { message: v1.message('to Rome', { taskId: 'task-1', contextId: 'ctx-1' }) };
const details = [v1.errorInfo('TASK_NOT_FOUND')];
const notFound = { code: -32001, message: 'No such task', data: details };

export default defineRule({
  id: 'CTX-007',
  level: 'MUST',
  party: 'client',
  summary: 'A `taskId` in a message is one that the agent gave out.',
  spec: { '1.0': '3.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { unknown: 'The message names task {task}, which the agent has not shown and does not know' },
  why: 'Task ids are made by agents: a client that makes its own, or takes one from another agent, is refused and has lost a turn. The task may be older than the capture and forgotten since, so this is a warning.',
  fix: 'Leave `taskId` out to start a task, and keep the id that comes back together with the agent that gave it.',
  examples: {
    good: [
      [started, rpc({ method: 'SendMessage', params: more, result: { task: v1.task('COMPLETED') } })],
      [
        started,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: more,
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [
      [started],
      // The task may have been shown before the capture began.
      [rpc({ method: 'SendMessage', params: more, result: { task: v1.task('COMPLETED') } })],
    ],
    bad: [
      { example: [rpc({ method: 'SendMessage', params: more, error: notFound })], messages: ['unknown'] },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: more,
            status: 404,
            response: restError(404, 'NOT_FOUND', 'No such task', details),
          }),
        ],
        messages: ['unknown'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!sentMessage(exchange)?.message.taskId) return false;
    if (wasShown(exchange, conversation)) return true;
    return isNotFound(exchange) && !conversation.gapBetween(0, exchange.captured.request.atNs)
      ? true
      : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const sent = sentMessage(exchange);
    if (sent === undefined || wasShown(exchange, conversation)) return;
    report('unknown', {
      outcome: 'warn',
      data: { task: sent.message.taskId },
      at: placeOf(sent, '/taskId'),
      expected: 'a task id that the agent gave out, or none',
      actual: sent.message.taskId,
    });
  },
});

const wasShown = (exchange: DecodedExchange, conversation: Conversation): boolean =>
  conversation.task(exchange.captured.edge.callee, sentMessage(exchange)?.message.taskId) !== undefined;

const isNotFound = (exchange: DecodedExchange): boolean => refusalOf(exchange)?.name === 'TaskNotFoundError';
