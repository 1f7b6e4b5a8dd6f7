import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1 } from '@plugfest/verifier/examples';
import { extendedCardMethod, similarMethod } from './method-name.ts';

/** Members of other requests; unknown ones may belong to a later version, and are ignored (section 5.7). */
const foreign = [
  'id',
  'taskId',
  'message',
  'configuration',
  'metadata',
  'historyLength',
  'pageSize',
] as const;

const headers = { Authorization: 'Bearer t-1' } as const;
const missing = { error: { code: -32601, message: 'Method not found' } } as const;

const means = ({ request, dialect }: DecodedExchange): boolean => {
  const method = request.rpc?.method;
  return dialect?.binding === 'JSONRPC' && typeof method === 'string' && similarMethod.test(method);
};

export default defineRule({
  id: 'XCARD-006',
  level: 'MUST',
  party: 'client',
  summary:
    'On JSON-RPC the extended card is asked for by `GetExtendedAgentCard`, with no parameters but the tenant.',
  spec: { '1.0': '9.4.8' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    method: 'The client asks for the extended card by {found}, which is no method of 1.0',
    params: '`params` of the call for the extended card is {found} instead of an object',
    member: '`params` of the call for the extended card has `{member}`, which belongs to other calls',
  },
  why: 'The agent knows the method by its exact name only; a card has neither task nor message.',
  fix: 'Call `GetExtendedAgentCard`, without `params` or with `tenant` in it.',
  examples: {
    good: [
      [rpc({ method: extendedCardMethod, headers, result: v1.card() })],
      [rpc({ method: extendedCardMethod, headers, params: { tenant: 'acme' }, result: v1.card() })],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'agent/getAuthenticatedExtendedCard', headers, result: null })],
    ],
    bad: [
      {
        example: [
          rpc({
            method: 'GetAuthenticatedExtendedCard',
            headers: { ...headers, 'A2A-Version': '1.0' },
            ...missing,
          }),
        ],
        messages: ['method'],
      },
      {
        example: [rpc({ method: extendedCardMethod, headers, params: ['acme'], result: v1.card() })],
        messages: ['params'],
      },
      {
        example: [rpc({ method: extendedCardMethod, headers, params: { id: 'task-1' }, result: v1.card() })],
        messages: ['member'],
      },
    ],
  },
  when: means,
  check: ({ request }, { report }) => {
    const method = request.rpc?.method;
    const params = request.rpc?.params;
    if (method !== extendedCardMethod)
      report('method', {
        data: { found: method },
        at: { side: 'request', pointer: '/method' },
        expected: extendedCardMethod,
        actual: method,
      });
    if (params === undefined || params === null) return;
    if (!isJsonObject(params)) {
      report('params', {
        data: { found: params },
        at: { side: 'request', pointer: '/params' },
        expected: 'an object',
        actual: params,
      });
      return;
    }
    for (const member of foreign)
      if (params[member] !== undefined)
        report('member', {
          data: { member },
          at: { side: 'request', pointer: `/params/${member}` },
          expected: '`tenant` only',
          actual: params[member],
        });
  },
});
