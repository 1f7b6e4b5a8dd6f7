import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { lackingInSent } from './lacking-in-sent.ts';

const bad = (more: Parameters<typeof v1.message>[1]) => ({ message: v1.message('hello', more) });
const probe = { method: 'SendMessage', purpose: 'probe' } as const;
const result = { task: v1.task('COMPLETED') };

export default defineRule({
  id: 'SEND-021',
  level: 'MUST',
  party: 'server',
  summary: 'A message without parts, id or role is refused.',
  spec: { '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    parts: 'The agent works on a message without parts',
    member: 'The agent accepts a message without `{member}`',
  },
  why: 'The client has a bug and gets an answer to a question it did not ask, on this agent or binding only. Section 3.3.2 asks for validation of all inputs and 5.7 recommends it: so an empty message is a failure, and an id or role that the server makes up a warning.',
  fix: 'Check the REQUIRED members of every message on every binding, and answer InvalidParamsError (-32602) or HTTP 400 naming the member.',
  examples: {
    good: [[rpc({ ...probe, params: bad({ parts: [] }), error: { code: -32602, message: 'No parts' } })]],
    skip: [
      [rpc({ method: 'SendMessage', params: bad({}), result })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...probe, params: bad({ parts: [] }), result })], messages: ['parts'] },
      {
        example: [
          rest({ verb: 'POST', path: '/message:send', body: bad({ parts: undefined }), response: result }),
        ],
        messages: ['parts'],
      },
      { example: [rpc({ ...probe, params: bad({ messageId: undefined }), result })], messages: ['member'] },
      { example: [rpc({ ...probe, params: bad({ messageId: '' }), result })], messages: ['member'] },
    ],
  },
  when: (exchange) =>
    lackingInSent(exchange).length > 0 && (wasServed(exchange) || refusalOf(exchange) !== undefined),
  check: (exchange, { report }) => {
    if (refusalOf(exchange) !== undefined) return;
    for (const member of lackingInSent(exchange))
      report(member === 'parts' ? 'parts' : 'member', {
        ...(member === 'parts' ? {} : { outcome: 'warn' as const }),
        data: { member },
        at: { side: 'response', pointer: '' },
        expected: 'an error',
        actual: 'a result',
      });
  },
});
