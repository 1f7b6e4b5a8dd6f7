import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { sentMessage } from '../sent-message.ts';
import { contextOfAnswer, contextOfTask } from './context-of-answer.ts';

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('INPUT_REQUIRED') });
const mixed = { message: v1.message('more', { taskId: 'task-1', contextId: 'ctx-other' }) };
const send = { method: 'SendMessage', params: mixed } as const;

export default defineRule({
  id: 'CTX-005',
  level: 'MUST',
  party: 'server',
  summary: 'A message whose `contextId` is not that of its `taskId` is refused.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    accepted:
      'The agent accepts a message with task {task} and context {sent}, though the task is of context {context}',
  },
  why: 'One of the two ids is a mistake of the client; whichever the agent follows, words end up in a conversation that they do not belong to.',
  fix: 'Compare the `contextId` of the message with that of the stored task, and answer InvalidParamsError where they differ.',
  examples: {
    good: [
      [get, rpc({ ...send, error: { code: -32602, message: 'Task and context do not belong together' } })],
      [
        get,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: mixed,
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'Task and context do not belong together'),
        }),
      ],
    ],
    skip: [
      [
        get,
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('more', { taskId: 'task-1', contextId: 'ctx-1' }) },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      [rpc({ ...send, error: { code: -32602, message: 'Task and context do not belong together' } })],
    ],
    bad: [
      { example: [get, rpc({ ...send, result: { task: v1.task('COMPLETED') } })], messages: ['accepted'] },
      // The answer itself shows what context the task is of.
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: mixed,
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['accepted'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    mismatch(exchange, conversation) !== undefined &&
    (wasServed(exchange) || refusalOf(exchange) !== undefined),
  check: (exchange, { conversation, report }) => {
    const found = mismatch(exchange, conversation);
    if (found === undefined || refusalOf(exchange) !== undefined) return;
    report('accepted', {
      data: { ...found },
      at: { side: 'response', pointer: '' },
      expected: 'an error',
      actual: 'a result',
    });
  },
});

/** Ids of a message that do not belong together, with the context that the task is really of. */
function mismatch(exchange: DecodedExchange, conversation: Conversation) {
  const { taskId: task, contextId: sent } = sentMessage(exchange)?.message ?? {};
  if (!task || !sent) return undefined;
  const answer = contextOfAnswer(exchange);
  const context =
    contextOfTask(exchange, conversation, task) ?? (answer?.taskId === task ? answer.contextId : undefined);
  return context === undefined || context === sent ? undefined : { task, sent, context };
}
