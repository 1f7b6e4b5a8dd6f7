import type { DecodedExchange, Payload } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf, sentMessage } from '../sent-message.ts';
import { isInventedTask } from '../task-before.ts';

const more = { message: v1.message('more', { taskId: 'task-1', contextId: 'ctx-1' }) };
const send = { method: 'SendMessage', params: more } as const;

/** The task or the message that a send is answered with. */
const answer = ({ payloads }: DecodedExchange): Payload | undefined =>
  payloads.find(({ side, kind }) => side === 'response' && (kind === 'task' || kind === 'message'));

export default defineRule({
  id: 'SEND-025',
  level: 'SHOULD',
  party: 'server',
  summary: 'A message to a task is answered with the Task, not with a direct Message.',
  spec: { '1.0': 'life-of-a-task topic' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { message: 'A message to task {task} is answered with a direct Message' },
  why: 'The client does not learn the state of its task from it: it cannot tell whether the task goes on, waits, or is done.',
  fix: 'Put what there is to say into the status message of the task, and return the Task.',
  examples: {
    good: [
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [rest({ verb: 'POST', path: '/message:send', body: more, response: { task: v1.task('COMPLETED') } })],
    ],
    skip: [
      [rpc({ ...send, params: { message: v1.message('hello') }, result: { message: v1.reply('hi') } })],
      [rpc({ ...send, error: { code: -32603, message: 'Internal error' } })],
    ],
    bad: [
      {
        example: [rpc({ ...send, result: { message: v1.reply('hi', { taskId: 'task-1' }) } })],
        messages: ['message'],
      },
    ],
  },
  when: (exchange) => Boolean(sentMessage(exchange)?.message.taskId) && answer(exchange) !== undefined,
  check: (exchange, { conversation, report }) => {
    const found = answer(exchange);
    if (found?.kind !== 'message') return;
    // Of a task that does not exist SEND-010 says it.
    if (isInventedTask(exchange, conversation, sentMessage(exchange)?.message.taskId)) return;
    report('message', {
      data: { task: sentMessage(exchange)?.message.taskId },
      at: placeOf(found),
      expected: 'a Task',
      actual: 'a Message',
    });
  },
});
