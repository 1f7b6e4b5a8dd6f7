import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';
import { answerToContext } from './context-of-answer.ts';

const params = { message: v1.message('hello', { contextId: 'ctx-1' }) };
const send = { method: 'SendMessage', params } as const;

export default defineRule({
  id: 'CTX-002',
  level: 'MUST',
  party: 'server',
  summary: 'A `contextId` that the client sends comes back in the answer, or the request is refused.',
  spec: { '1.0': '3.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { dropped: 'The client sent context {sent}, the {kind} that answers it names none' },
  why: 'The client cannot know whether the agent remembers the conversation or has started from nothing.',
  fix: 'Put the `contextId` of the message into the Task or Message, or refuse the request where contexts of clients are not accepted.',
  examples: {
    good: [
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [rest({ verb: 'POST', path: '/message:send', body: params, response: { message: v1.reply('hi') } })],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params,
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [
      [rpc({ ...send, error: { code: -32602, message: 'Unknown context' } })],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      {
        example: [rpc({ ...send, result: { task: v1.task('COMPLETED', { contextId: '' }) } })],
        messages: ['dropped'],
      },
      {
        example: [rpc({ ...send, result: { message: v1.reply('hi', { contextId: undefined }) } })],
        messages: ['dropped'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params,
            events: [
              v1.statusUpdate('WORKING', { contextId: undefined }),
              v1.statusUpdate('COMPLETED', { contextId: undefined }),
            ],
          }),
        ],
        messages: ['dropped'],
      },
    ],
  },
  when: (exchange) => answerToContext(exchange) !== undefined,
  check: (exchange, { report }) => {
    const answered = answerToContext(exchange);
    // Another context in the answer is the matter of CTX-003.
    if (answered === undefined || answered.answer.contextId !== undefined) return;
    const { sent, answer } = answered;
    report('dropped', {
      data: { sent, kind: answer.payload.kind },
      at: placeOf(answer.payload, '/contextId'),
      expected: sent,
    });
  },
});
