import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { isSend, placeOf, sentMessage } from '../sent-message.ts';
import { isUnread } from '../unread-body.ts';

const result = { task: v1.task('COMPLETED') };
const send = (message: Parameters<typeof v1.message>[1]) =>
  rpc({ method: 'SendMessage', params: { message: v1.message('hello', message) }, result });

export default defineRule({
  id: 'SEND-001',
  level: 'MUST',
  party: 'client',
  summary: 'A send has a message with `messageId`, `role` and at least one part.',
  spec: { '0.2': '7.1.1', '0.3': '7.1.1', '1.0': '3.2.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    message: 'The request has no `message`',
    member: 'The message has no `{member}`',
    parts: 'The message has no parts',
  },
  why: 'The agent refuses the message, or works on nothing; without an id it cannot tell a repetition from a second order. The schema of 0.x allows an empty list of parts, so there it is a warning.',
  fix: 'Give every message a new `messageId`, its role and its content as `parts`.',
  examples: {
    good: [
      [send({})],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: result,
        }),
      ],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [rpc({ method: 'SendMessage', params: {}, result })], messages: ['message'] },
      { example: [send({ messageId: undefined })], messages: ['member'] },
      { example: [send({ messageId: '' })], messages: ['member'] },
      { example: [send({ role: undefined, parts: undefined })], messages: ['member', 'member'] },
      { example: [send({ parts: [] })], messages: ['parts'] },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('hello', { messageId: undefined }) },
            result: v03.task('completed'),
          }),
        ],
        messages: ['member'],
      },
    ],
  },
  when: (exchange) => {
    if (!isSend(exchange)) return false;
    const { state } = exchange.request.json;
    return isUnread(state) ? 'undecidable' : state === 'ok';
  },
  check: (exchange, { report }) => {
    const sent = sentMessage(exchange);
    if (sent === undefined) {
      report('message', {
        at: { side: 'request', pointer: messagePointer(exchange) },
        expected: 'a Message',
      });
      return;
    }
    const { value, parts, messageId } = sent.message;
    if (messageId === undefined || messageId === '')
      report('member', {
        data: { member: 'messageId' },
        at: placeOf(sent, '/messageId'),
        expected: 'an id',
        actual: value.messageId,
      });
    if (value.role === undefined || value.role === null)
      report('member', { data: { member: 'role' }, at: placeOf(sent, '/role'), expected: 'the user role' });
    const list = value.parts ?? value.content;
    // Protobuf cannot tell an empty list from none.
    const isProto = exchange.dialect?.binding === 'GRPC' && list === undefined;
    if (!Array.isArray(list) && !isProto)
      report('member', {
        data: { member: 'parts' },
        at: placeOf(sent, '/parts'),
        expected: 'an array of parts',
        actual: list,
      });
    else if (parts.length === 0)
      report('parts', {
        ...(exchange.dialect?.version === '1.0' ? {} : { outcome: 'warn' as const }),
        at: placeOf(sent, '/parts'),
        expected: 'at least one part',
      });
  },
});

const messagePointer = ({ request }: DecodedExchange): string =>
  isJsonObject(request.params) ? `${request.pointer}/message` : request.pointer;
