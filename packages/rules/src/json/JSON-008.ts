import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { isLackSaidElsewhere, lackingMember } from './lacking-member.ts';

const create = {
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig({ url: undefined }),
  purpose: 'probe',
} as const;
const known = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const hello = { message: v1.message('hello') };

export default defineRule({
  id: 'JSON-008',
  level: 'SHOULD',
  party: 'server',
  summary: 'A request that lacks a required member is refused.',
  spec: { '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { accepted: 'The {type} has no `{member}`, and yet the agent goes ahead' },
  why: 'The fault of the client is found by another agent, far away; here the agent works with an empty id, name or address.',
  fix: 'Check every member that the proto marks as REQUIRED, and answer InvalidParamsError (-32602), HTTP 400 or INVALID_ARGUMENT naming it.',
  examples: {
    good: [[known, rpc({ ...create, error: { code: -32602, message: 'url is missing' } })]],
    skip: [
      [rpc({ method: 'SendMessage', params: hello, result: { task: v1.task('COMPLETED') } })],
      [rpc({ ...create, params: v1.pushConfig(), result: v1.pushConfig({ id: 'config-1' }) })],
      // Over HTTP+JSON the id stands in the path.
      [rest({ verb: 'POST', path: '/tasks/task-1:cancel', body: {}, response: v1.task('CANCELED') })],
    ],
    bad: [
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: {},
            purpose: 'probe',
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['accepted'],
      },
      {
        example: [rpc({ ...create, result: v1.pushConfig({ id: 'config-1', url: undefined }) })],
        messages: ['accepted'],
      },
      {
        example: [
          rpc({
            ...create,
            params: v1.pushConfig({ authentication: { credentials: 'cred-1' } }),
            result: v1.pushConfig({ id: 'config-1' }),
          }),
        ],
        messages: ['accepted'],
      },
    ],
  },
  when: (exchange) =>
    (wasServed(exchange) || refusalOf(exchange) !== undefined) && lackingMember(exchange) !== undefined,
  check: (exchange, { report }) => {
    const found = lackingMember(exchange);
    if (found === undefined || refusalOf(exchange) !== undefined || isLackSaidElsewhere(exchange)) return;
    report('accepted', {
      data: { type: found.type, member: found.member },
      at: { side: 'response', pointer: '' },
      expected: 'an error',
      actual: 'a result',
    });
  },
});
