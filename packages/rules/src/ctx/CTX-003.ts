import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';
import { answerToContext } from './context-of-answer.ts';

const params = { message: v1.message('hello', { contextId: 'ctx-1' }) };
const send = { method: 'SendMessage', params } as const;

export default defineRule({
  id: 'CTX-003',
  level: 'MUST',
  party: 'server',
  summary: 'The agent does not answer in another context than the one that the client named.',
  spec: { '1.0': '3.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { other: 'The client sent context {sent}, the answer belongs to context {found}' },
  why: 'The conversation breaks without anybody being told: the agent has forgotten what was said before, and the client files the answer under another conversation.',
  fix: 'Keep the `contextId` of the message, or refuse the request; never make a new one in its place.',
  examples: {
    good: [
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [rest({ verb: 'POST', path: '/message:send', body: params, response: { message: v1.reply('hi') } })],
    ],
    skip: [
      [rpc({ ...send, error: { code: -32602, message: 'Unknown context' } })],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('more', { taskId: 'task-1', contextId: 'ctx-1' }) },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      {
        example: [rpc({ ...send, result: { task: v1.task('COMPLETED', { contextId: 'ctx-2' }) } })],
        messages: ['other'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: params,
            response: { message: v1.reply('hi', { contextId: 'ctx-2' }) },
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => {
    const answered = answerToContext(exchange);
    // With a task, another context in the answer means that the two did not belong together: see CTX-005.
    return answered?.answer.contextId !== undefined && !answered.message.taskId;
  },
  check: (exchange, { report }) => {
    const answered = answerToContext(exchange);
    if (answered === undefined || answered.answer.contextId === answered.sent) return;
    const { sent, answer } = answered;
    report('other', {
      data: { sent, found: answer.contextId },
      at: placeOf(answer.payload, '/contextId'),
      expected: sent,
      actual: answer.contextId,
    });
  },
});
