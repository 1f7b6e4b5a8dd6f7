import type { DecodedExchange, MessageView } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { mayBeInBand } from '../auth/in-band.ts';
import { hasText, secretsIn } from '../auth/secret-text.ts';
import { wasServed } from '../refusal.ts';
import { sentMessage } from '../sent-message.ts';
import { taskBefore } from '../task-before.ts';

const waiting = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('AUTH_REQUIRED') });
const answer = (text: string) => ({
  message: v1.message('answer', { taskId: 'task-1', contextId: 'ctx-1', parts: [{ text }] }),
});
const result = { task: v1.task('COMPLETED') };

export default defineRule({
  id: 'ITA-003',
  level: 'MUST',
  party: 'server',
  summary:
    'An agent takes the credentials for a task that waits for authorisation out of band, not out of messages.',
  spec: { '1.0': '7.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { secret: 'The agent takes a message to the waiting task {task} that holds {what}' },
  why: 'Every agent and log on the way learns the credential, and it stays in the history of the task. Both sides may have agreed on it where the capture does not show it, or the client sent it unasked (AUTH-008), so this is a warning.',
  fix: 'Name in the status message a place where the user can authorise the agent, e.g. an OAuth 2.0 authorization URL, and do not ask for secrets in messages.',
  examples: {
    good: [
      [waiting, rpc({ method: 'SendMessage', params: answer('Done, please go on'), result })],
      [waiting, rest({ verb: 'POST', path: '/message:send', body: answer('No, do not'), response: result })],
    ],
    skip: [[rpc({ method: 'SendMessage', params: { message: v1.message('hello') }, result })], [waiting]],
    bad: [
      {
        example: [
          waiting,
          rpc({ method: 'SendMessage', params: answer('Use password: correct-horse-7'), result }),
        ],
        messages: ['secret'],
        outcomes: ['warn'],
      },
      {
        example: [
          waiting,
          rest({
            verb: 'POST',
            path: '/message:send',
            body: answer('Bearer abcdefghijklmnopqrstuvwxyz0123'),
            response: result,
          }),
        ],
        messages: ['secret'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const message = answerToWait(exchange, conversation);
    return message !== undefined && hasText(message.parts);
  },
  check: (exchange, { conversation, report }) => {
    const message = answerToWait(exchange, conversation);
    if (message === undefined) return;
    for (const { what, pointer } of secretsIn(message.parts))
      report('secret', {
        outcome: 'warn',
        data: { task: message.taskId, what },
        at: { side: 'request', pointer },
        expected: 'credentials out of band',
      });
  },
});

function answerToWait(exchange: DecodedExchange, conversation: Conversation): MessageView | undefined {
  const message = sentMessage(exchange)?.message;
  if (message === undefined || !wasServed(exchange) || mayBeInBand(exchange, message)) return undefined;
  const state = taskBefore(exchange, conversation, message.taskId)?.state;
  return state === 'TASK_STATE_AUTH_REQUIRED' ? message : undefined;
}
