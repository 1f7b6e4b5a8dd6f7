import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { isSend, type MessagePayload, placeOf } from '../sent-message.ts';

const params = { message: v1.message('hello') };
const reply = (more: Parameters<typeof v1.reply>[1] = {}) =>
  rpc({ method: 'SendMessage', params, result: { message: v1.reply('hi', more) } });

export default defineRule({
  id: 'SEND-005',
  level: 'MUST',
  party: 'server',
  summary: 'A Message that answers a send has the agent role, an id, at least one part and a `contextId`.',
  spec: { '1.0': '4.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    role: 'The reply has the role {found}',
    id: 'The reply has no `messageId`',
    parts: 'The reply has no parts',
    context: 'The reply has no `contextId`',
  },
  why: 'A reply in the role of the user enters the history as the words of the user; one without `contextId` cannot be answered in the same conversation. The proto asks for the `contextId` of server messages in one comment and calls it optional in another, so its absence is a warning.',
  fix: 'Set ROLE_AGENT, a new `messageId`, the parts, and the `contextId` that the client sent or a new one.',
  examples: {
    good: [
      [reply()],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          response: { message: v1.reply('hi') },
        }),
      ],
      [rpcStream({ method: 'SendStreamingMessage', params, events: [{ message: v1.reply('hi') }] })],
    ],
    skip: [
      [rpc({ method: 'SendMessage', params, result: { task: v1.task('COMPLETED') } })],
      [rpc({ method: 'SendMessage', params, error: { code: -32602, message: 'Invalid parameters' } })],
    ],
    bad: [
      { example: [reply({ role: 'ROLE_USER' })], messages: ['role'] },
      { example: [reply({ role: undefined, messageId: undefined })], messages: ['id', 'role'] },
      { example: [reply({ parts: [] })], messages: ['parts'] },
      { example: [reply({ contextId: undefined })], messages: ['context'] },
    ],
  },
  when: (exchange) => isSend(exchange) && replies(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const payload of replies(exchange)) {
      const { message } = payload;
      const { role } = message.value;
      if (message.role === 'ROLE_USER' || role === undefined || role === null)
        report('role', {
          data: { found: role },
          at: placeOf(payload, '/role'),
          expected: 'ROLE_AGENT',
          actual: role,
        });
      if (!message.messageId) report('id', { at: placeOf(payload, '/messageId'), expected: 'a new id' });
      if (message.parts.length === 0)
        report('parts', { at: placeOf(payload, '/parts'), expected: 'at least one part' });
      if (!message.contextId)
        report('context', {
          outcome: 'warn',
          at: placeOf(payload, '/contextId'),
          expected: 'the id of the conversation',
        });
    }
  },
});

const replies = ({ payloads }: DecodedExchange): readonly MessagePayload[] =>
  payloads.filter(
    (payload): payload is MessagePayload => payload.side === 'response' && payload.kind === 'message',
  );
