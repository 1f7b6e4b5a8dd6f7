import { type DecodedExchange, isTerminal } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { seenBefore } from '../before.ts';
import { isSameCaller } from '../same-caller.ts';
import { placeOf, sentMessage } from '../sent-message.ts';

const finished = rpc({
  method: 'SendMessage',
  params: { message: v1.message('a flight') },
  result: { task: v1.task('COMPLETED') },
});
const next = { task: v1.task('COMPLETED', { id: 'task-2' }) };
const more = (references: Parameters<typeof v1.message>[1]) => ({
  message: v1.message('and a hotel', { contextId: 'ctx-1', ...references }),
});

export default defineRule({
  id: 'LIFE-014',
  level: 'SHOULD',
  party: 'client',
  summary: 'A message that follows up on a finished task names it in `referenceTaskIds`.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { silent: 'The message follows finished tasks of context {context}, and refers to none of them' },
  why: 'The agent has to guess which of the earlier results the message is about. It may be about none of them, which only the client knows, so this is for information.',
  fix: 'Put the ids of the tasks that the message builds on into `referenceTaskIds`.',
  examples: {
    good: [
      [
        finished,
        rpc({ method: 'SendMessage', params: more({ referenceTaskIds: ['task-1'] }), result: next }),
      ],
      [
        finished,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: more({ referenceTaskIds: ['task-1'] }),
          response: next,
        }),
      ],
    ],
    skip: [
      [finished],
      // Another client does not know of it.
      [finished, rpc({ method: 'SendMessage', params: more({}), result: next, from: 'another client' })],
      [
        rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }),
        rpc({ method: 'SendMessage', params: more({}), result: next }),
      ],
    ],
    bad: [
      {
        example: [finished, rpc({ method: 'SendMessage', params: more({}), result: next })],
        messages: ['silent'],
        outcomes: ['info'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const message = sentMessage(exchange)?.message;
    if (!message?.contextId || message.taskId) return false;
    return knowsFinishedTask(exchange, conversation, message.contextId);
  },
  check: (exchange, { report }) => {
    const sent = sentMessage(exchange);
    if (sent === undefined || sent.message.referenceTaskIds.length > 0) return;
    report('silent', {
      outcome: 'info',
      data: { context: sent.message.contextId },
      at: placeOf(sent, '/referenceTaskIds'),
      expected: 'the ids of the tasks that the message is about',
    });
  },
});

/** Tasks of the context, and looks at each, that are searched; a long conversation has thousands. */
const [lastTasks, lastLooks] = [8, 64];

/** This caller has seen a task of the context finished. */
function knowsFinishedTask(
  { captured }: DecodedExchange,
  conversation: Conversation,
  contextId: string,
): boolean {
  const { callee } = captured.edge;
  const tasks = conversation.context(callee, contextId)?.taskIds.slice(-lastTasks) ?? [];
  return tasks.some((id) =>
    conversation
      .task(callee, id)
      ?.observations.slice(-lastLooks)
      .some(
        (look) =>
          isTerminal(look.state) && isSameCaller(look.exchange, captured) && seenBefore(look, captured),
      ),
  );
}
