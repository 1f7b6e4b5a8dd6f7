import type { DecodedExchange, MessageView } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { placeOf, returnedTasks, sentMessage } from '../sent-message.ts';
import { contextOfAnswer, contextOfTask } from './context-of-answer.ts';

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('INPUT_REQUIRED') });
const message = v1.message('more', { taskId: 'task-1' });
const send = { method: 'SendMessage', params: { message } } as const;
const historyOf = (contextId: string) => ({ history: [{ ...message, contextId }] });
const inHistory = (contextId: string) => ({ task: v1.task('COMPLETED', historyOf(contextId)) });
const nameless = v1.message('more', { taskId: 'task-1', messageId: undefined });

export default defineRule({
  id: 'CTX-004',
  level: 'MUST',
  party: 'server',
  summary: 'A message that names a task but no context belongs to the context of that task.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    answer: 'Task {task} is of context {context}, the answer belongs to {found}',
    history: 'The message to task {task} of context {context} stands in its history with the context {found}',
  },
  why: 'A client may leave the context out, for the task says it; an agent that makes a new one loses what was said before, and its own history belongs to two conversations.',
  fix: 'Read the context from the stored task before anything else is done with the message.',
  examples: {
    good: [
      [get, rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [
        get,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
      [rpc({ ...send, result: inHistory('ctx-1') })],
      // A history may leave contexts out, and holds what was said before.
      [get, rpc({ ...send, result: { task: v1.task('COMPLETED', { history: [message] }) } })],
      [
        get,
        rpc({
          ...send,
          result: {
            task: v1.task('COMPLETED', {
              history: [v1.message('a flight', { contextId: 'ctx-1' }), { ...message, contextId: 'ctx-1' }],
            }),
          },
        }),
      ],
    ],
    skip: [
      [get, rpc({ ...send, error: { code: -32602, message: 'Invalid parameters' } })],
      [
        get,
        rpc({
          method: 'SendMessage',
          params: { message: { ...message, contextId: 'ctx-1' } },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      // Nothing says which context the task is of, or that the entry is the message.
      [rpc({ ...send, result: { task: v1.task('COMPLETED', { ...historyOf('ctx-2'), id: 'task-2' }) } })],
      [
        rpc({
          ...send,
          result: { task: v1.task('COMPLETED', { ...historyOf('ctx-2'), contextId: undefined }) },
        }),
      ],
      [
        rpc({
          ...send,
          result: {
            task: v1.task('COMPLETED', { history: [v1.message('a flight', { contextId: 'ctx-2' })] }),
          },
        }),
      ],
      [
        rpc({
          method: 'SendMessage',
          params: { message: nameless },
          result: { task: v1.task('COMPLETED', { history: [{ ...nameless, contextId: 'ctx-2' }] }) },
        }),
      ],
    ],
    bad: [
      {
        example: [get, rpc({ ...send, result: { task: v1.task('COMPLETED', { contextId: 'ctx-2' }) } })],
        messages: ['answer'],
      },
      { example: [rpc({ ...send, result: inHistory('ctx-2') })], messages: ['history'] },
      {
        example: [
          rpcStream({ method: 'SendStreamingMessage', params: { message }, events: [inHistory('ctx-2')] }),
        ],
        messages: ['history'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const message = sentMessage(exchange)?.message;
    if (!message?.taskId || message.contextId) return false;
    return answered(exchange, conversation) !== undefined || stored(exchange, message).length > 0;
  },
  check: (exchange, { conversation, report }) => {
    const sent = sentMessage(exchange)?.message;
    if (sent === undefined) return;
    const task = sent.taskId;
    const answer = answered(exchange, conversation);
    if (answer !== undefined && answer.found !== answer.context)
      report('answer', {
        data: { task, context: answer.context, found: answer.found },
        at: placeOf(answer.payload, '/contextId'),
        expected: answer.context,
        actual: answer.found,
      });
    for (const { entry, context, at } of stored(exchange, sent)) {
      if (entry.contextId === context) continue;
      report('history', {
        data: { task, context, found: entry.contextId },
        at: { ...at, pointer: `${entry.pointer}/contextId` },
        expected: context,
        actual: entry.contextId,
      });
    }
  },
});

/** The context of the answer, and the one that the task was shown in before. */
function answered(exchange: DecodedExchange, conversation: Conversation) {
  const context = contextOfTask(exchange, conversation, sentMessage(exchange)?.message.taskId);
  const answer = contextOfAnswer(exchange);
  if (context === undefined || answer?.contextId === undefined) return undefined;
  return { context, found: answer.contextId, payload: answer.payload };
}

/** The sent message as it stands in the history of the returned task, where it got a context. */
function stored(exchange: DecodedExchange, sent: MessageView) {
  return returnedTasks(exchange).flatMap((payload) => {
    const { task } = payload;
    const context = task.contextId;
    if (!context || task.id !== sent.taskId) return [];
    return (task.history ?? [])
      .filter(
        (entry) =>
          entry.messageId === sent.messageId && sent.messageId !== undefined && Boolean(entry.contextId),
      )
      .map((entry) => ({ entry, context, at: placeOf(payload) }));
  });
}
