import type { DecodedExchange, Payload } from '@plugfest/a2a';
import { defineRule, taskIdOf } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { placeOf, sentMessage } from '../sent-message.ts';
import { isInventedTask } from '../task-before.ts';

const more = { message: v1.message('more', { taskId: 'task-1', contextId: 'ctx-1' }) };
const call = { method: 'SendMessage', params: more } as const;

export default defineRule({
  id: 'SEND-024',
  level: 'MUST',
  party: 'server',
  summary: 'A message to a task is answered with this task.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { other: 'The message went to task {asked}, the answer comes from task {found}' },
  why: 'The client waits for the task it wrote to, which waits for the client in turn; the new one nobody asked for.',
  fix: 'Continue the task that the message names, or refuse the message; never start another task in its place.',
  examples: {
    good: [
      [rpc({ ...call, result: { task: v1.task('COMPLETED') } })],
      [rest({ verb: 'POST', path: '/message:send', body: more, response: { task: v1.task('COMPLETED') } })],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: more,
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      [rpc({ ...call, result: { message: v1.reply('hi') } })],
    ],
    bad: [
      {
        example: [rpc({ ...call, result: { task: v1.task('COMPLETED', { id: 'task-2' }) } })],
        messages: ['other'],
      },
      {
        example: [rpc({ ...call, result: { message: v1.reply('hi', { taskId: 'task-2' }) } })],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => Boolean(sentMessage(exchange)?.message.taskId) && answerOfTask(exchange) !== undefined,
  check: (exchange, { conversation, report }) => {
    const asked = sentMessage(exchange)?.message.taskId;
    // Of a task that does not exist SEND-010 says it.
    if (isInventedTask(exchange, conversation, asked)) return;
    const answer = answerOfTask(exchange);
    const found = answer && taskIdOf(answer);
    if (answer === undefined || asked === undefined || found === asked) return;
    report('other', {
      data: { asked, found },
      at: placeOf(answer, answer.kind === 'task' ? '/id' : '/taskId'),
      expected: asked,
      actual: found,
    });
  },
});

/** The first part of the answer that names a task; the rest of a stream is compared with it by SSE-016. */
const answerOfTask = ({ payloads }: DecodedExchange): Payload | undefined =>
  payloads.find((payload) => payload.side === 'response' && Boolean(taskIdOf(payload)));
