import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { publicCard, schemesOf } from '../auth/declared-security.ts';
import { extendedCardAuthentication } from './extended-authentication.ts';

const guarded = v1.card({
  capabilities: { extendedAgentCard: true },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
});
const guarded03 = v03.card({
  supportsAuthenticatedExtendedCard: true,
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
});
const call = { method: 'GetExtendedAgentCard' } as const;
const call03 = { version: '0.3', method: 'agent/getAuthenticatedExtendedCard' } as const;
const headers = { Authorization: 'Bearer t-1' } as const;
const challenge = {
  status: 401,
  responseHeaders: { 'WWW-Authenticate': 'Bearer' },
  responseText: '',
} as const;

export default defineRule({
  id: 'XCARD-004',
  level: 'MUST',
  party: 'client',
  summary: 'A client that asks for the extended card authenticates by a scheme of the public card.',
  spec: { '0.2': '7.10', '0.3': '7.10', '1.0': '3.1.11' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    missing: 'The call for the extended card carries no credentials of the declared schemes: {wanted}',
  },
  why: 'The card depends on who asks; without credentials the client gets a refusal, or what is meant for nobody.',
  fix: 'Read `securitySchemes` of the public card and send the credentials of one of them with this call.',
  examples: {
    good: [
      [getCard(guarded), rpc({ ...call, headers, result: guarded })],
      [
        getCard(guarded),
        rest({
          verb: 'GET',
          path: '/extendedAgentCard',
          headers,
          response: guarded,
          responseHeaders: { 'Cache-Control': 'private, max-age=300' },
        }),
      ],
      [getCard(guarded03), rpc({ ...call03, headers, result: guarded03 })],
    ],
    skip: [
      [rpc({ ...call, ...challenge })],
      [getCard(guarded), rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [getCard(guarded), rpc({ ...call, ...challenge })], messages: ['missing'] },
      { example: [getCard(guarded03), rpc({ ...call03, ...challenge })], messages: ['missing'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const found = extendedCardAuthentication(exchange, conversation);
    return found === 'yes' || found === 'no';
  },
  check: (exchange, { conversation, report }) => {
    const card = publicCard(exchange, conversation);
    if (card === undefined || extendedCardAuthentication(exchange, conversation) !== 'no') return;
    const wanted = [...schemesOf(card).keys()].join(', ');
    report('missing', { data: { wanted }, at: { side: 'request' }, expected: `credentials for ${wanted}` });
  },
});
