import type { DecodedExchange } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { refusesCaller, wasServed } from '../refusal.ts';
import { isAnonymous } from '../xcard/anonymous-call.ts';
import { satisfiesRequirements } from './credentials.ts';
import { publicCard } from './declared-security.ts';

const guarded = getCard(
  v1.card({
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  }),
);
const guarded03 = getCard(
  v03.card({
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    security: [{ key: [] }],
  }),
);
const guarded03By = (scheme: JsonObject) =>
  getCard(v03.card({ securitySchemes: { login: scheme }, security: [{ login: [] }] }));
const get = { method: 'GetTask', params: { id: 'task-1' }, purpose: 'probe' } as const;
const get03 = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, purpose: 'probe' } as const;
const challenge = {
  status: 401,
  responseHeaders: { 'WWW-Authenticate': 'Bearer' },
  responseText: '',
} as const;

export default defineRule({
  id: 'AUTH-002',
  level: 'MUST',
  party: 'server',
  summary: 'A call without the credentials that the card demands is refused.',
  spec: { '0.2': '4.4', '0.3': '4.4', '1.0': '7.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    served: 'The agent serves {operation} to a call that carries none of the credentials its card demands',
  },
  why: 'Whoever finds the URL reads and steers the tasks of all users, while the card says that the agent is guarded.',
  fix: 'Check the credentials before anything else on every operation and binding, and answer HTTP 401, over gRPC UNAUTHENTICATED; or take the requirement out of the card.',
  examples: {
    good: [
      [guarded, rest({ verb: 'GET', path: '/tasks/task-1', purpose: 'probe', ...challenge })],
      [guarded03, rpc({ ...get03, ...challenge })],
    ],
    skip: [
      [guarded, rpc({ ...get, headers: { Authorization: 'Bearer t-1' }, result: v1.task('WORKING') })],
      [getCard(v1.card()), rpc({ ...get, result: v1.task('WORKING') })],
      [rpc({ ...get, result: v1.task('WORKING') })],
      // Its credentials are there, or may be; or the answer does not say whether they matter.
      ...[
        rpc({ ...get03, headers: { 'X-API-Key': 'k-1' }, result: v03.task('working') }),
        rpc({ ...get03, error: { code: -32603, message: 'Internal error' } }),
      ].map((call) => [guarded03, call]),
      [
        guarded03By({ type: 'http', scheme: 'Basic' }),
        rpc({ ...get03, headers: { Authorization: 'Basic dTpw' }, result: v03.task('working') }),
      ],
      [guarded03By({ type: 'mutualTLS' }), rpc({ ...get03, result: v03.task('working') })],
    ],
    bad: [
      { example: [guarded, rpc({ ...get, result: v1.task('WORKING') })], messages: ['served'] },
      { example: [guarded03, rpc({ ...get03, result: v03.task('working') })], messages: ['served'] },
      ...[
        { type: 'http', scheme: 'Bearer' },
        { type: 'oauth2', flows: {} },
        { type: 'openIdConnect', openIdConnectUrl: 'https://login.example/.well-known/openid-configuration' },
      ].map((scheme) => ({
        example: [
          guarded03By(scheme),
          rpc({ ...get03, headers: { Authorization: 'Basic dTpw' }, result: v03.task('working') }),
        ],
        messages: ['served'] as const,
      })),
    ],
  },
  when: (exchange, { conversation }) =>
    lacksCredentials(exchange, conversation) && (wasServed(exchange) || refusesCaller(exchange)),
  check: (exchange, { conversation, report }) => {
    if (!wasServed(exchange)) return;
    // The extended card for a call without any credentials is XCARD-003, where its version has that rule.
    const isExtended = exchange.operation === 'GetExtendedAgentCard' && exchange.dialect.version !== '0.2';
    if (isExtended && isAnonymous(exchange, conversation)) return;
    const { response, dialect } = exchange;
    const overGrpc = dialect.binding === 'GRPC';
    report('served', {
      data: { operation: exchange.operation ?? exchange.wireMethod },
      at: { side: 'response' },
      expected: overGrpc ? 'UNAUTHENTICATED' : 'HTTP 401',
      actual: overGrpc ? response?.grpcStatus?.name : response?.status,
    });
  },
});

function lacksCredentials(exchange: DecodedExchange, conversation: Conversation): boolean {
  const card = publicCard(exchange, conversation);
  return card !== undefined && satisfiesRequirements(exchange, card) === 'no';
}
