import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf, sentMessage } from '../sent-message.ts';

const result = { task: v1.task('COMPLETED') };
const asAgent = v1.message('hello', { role: 'ROLE_AGENT' });

export default defineRule({
  id: 'SEND-002',
  level: 'MUST',
  party: 'client',
  summary: 'Messages of a client have the user role.',
  spec: { '0.1': '6.4', '0.2': '6.4', '0.3': '6.4', '1.0': '4.1.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { role: 'The client sends a message with the role {found}' },
  why: 'The agent takes the text for its own words: a language model behind it answers to nobody, or trusts what it should not.',
  fix: 'Send ROLE_USER (in 0.x `user`), also where the client is an agent itself: the role tells the sides of this call apart, nothing more.',
  examples: {
    good: [
      [rpc({ method: 'SendMessage', params: { message: v1.message('hello') }, result })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: result,
        }),
      ],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('completed'),
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [rpc({ method: 'SendMessage', params: { message: asAgent }, result })], messages: ['role'] },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('hello', { role: 'agent' }) },
            result: v03.task('completed'),
          }),
        ],
        messages: ['role'],
      },
    ],
  },
  // Spellings that are no role at all are judged by the JSON rules.
  when: (exchange) => sentMessage(exchange)?.message.role !== undefined,
  check: (exchange, { report }) => {
    const sent = sentMessage(exchange);
    if (sent?.message.role !== 'ROLE_AGENT') return;
    report('role', {
      data: { found: sent.message.value.role },
      at: placeOf(sent, '/role'),
      expected: exchange.dialect?.version === '1.0' ? 'ROLE_USER' : 'user',
      actual: sent.message.value.role,
    });
  },
});
