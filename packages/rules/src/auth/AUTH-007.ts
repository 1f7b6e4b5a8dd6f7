import type { DecodedExchange } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { extendedCardAuthentication } from '../xcard/extended-authentication.ts';
import { satisfiesRequirements, seemsAuthenticated } from './credentials.ts';
import { alternativesOf } from './declared-security.ts';
import { seenCard } from './seen-demands.ts';

const guarded = getCard(
  v1.card({
    securitySchemes: {
      bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }, { schemes: { key: { list: [] } } }],
  }),
);
const guardedBy = (scheme: JsonObject) =>
  getCard(
    v1.card({
      securitySchemes: { login: scheme },
      securityRequirements: [{ schemes: { login: { list: [] } } }],
    }),
  );
const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } };
const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const challenge = {
  status: 401,
  responseHeaders: { 'WWW-Authenticate': 'Bearer' },
  responseText: '',
} as const;

export default defineRule({
  id: 'AUTH-007',
  level: 'MUST',
  party: 'client',
  summary: 'A call carries the credentials of one alternative in `securityRequirements`.',
  spec: { '1.0': '7.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { missing: 'The call carries no credentials for {wanted}, which the card demands' },
  why: 'The agent has to refuse the call, or serves it by mistake, as nobody. A client that has shown no secret yet, and waits for the challenge of a 401, wastes a call, so there it is a warning.',
  fix: 'Read `securityRequirements`, choose one alternative, and send the credentials of all its schemes, where each scheme says, with every call.',
  examples: {
    good: [
      [guarded, rpc({ ...get, headers: { Authorization: 'Bearer t-1' } })],
      [
        guarded,
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers: { 'X-API-Key': 'k-1' },
          response: v1.task('WORKING'),
        }),
      ],
      [
        guardedBy({ apiKeySecurityScheme: { location: 'query', name: 'key' } }),
        rest({ verb: 'GET', path: '/tasks/task-1?lang=en&key=k-1', response: v1.task('WORKING') }),
      ],
      [
        guardedBy({ apiKeySecurityScheme: { location: 'cookie', name: 'session' } }),
        rpc({ ...get, headers: { Cookie: 'session=s-1' } }),
      ],
      [
        guardedBy({ oauth2SecurityScheme: { flows } }),
        rpc({ ...get, headers: { Authorization: 'Bearer t-1' } }),
      ],
      [
        guardedBy({
          openIdConnectSecurityScheme: {
            openIdConnectUrl: 'https://login.example/.well-known/openid-configuration',
          },
        }),
        rpc({ ...get, headers: { Authorization: 'DPoP t-1' } }),
      ],
      // What stands there in the place of a secret may not show its scheme.
      [
        guardedBy({ httpAuthSecurityScheme: { scheme: 'Basic' } }),
        rpc({ ...get, headers: { Authorization: '‹hmac:1›' } }),
      ],
    ],
    skip: [
      [rpc(get)],
      [getCard(v1.card()), rpc(get)],
      [guarded, rpc({ ...get, from: 'another client' })],
      // A place or a kind of scheme that nobody knows, or a scheme that is not declared, may be satisfied.
      [guardedBy({ apiKeySecurityScheme: { location: 'body', name: 'key' } }), rpc(get)],
      [guardedBy({ passkeySecurityScheme: {} }), rpc(get)],
      [getCard(v1.card({ securityRequirements: [{ schemes: { login: { list: [] } } }] })), rpc(get)],
      // One of the alternatives asks for nothing.
      [
        getCard(
          v1.card({
            securitySchemes: { login: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
            securityRequirements: [{ schemes: { login: { list: [] } } }, { schemes: {} }],
          }),
        ),
        rpc(get),
      ],
      [
        getCard(
          v1.card({
            securitySchemes: { cert: { mtlsSecurityScheme: {} } },
            securityRequirements: [{ schemes: { cert: { list: [] } } }],
          }),
        ),
        rpc(get),
      ],
    ],
    bad: [
      { example: [guarded, rpc(get)], messages: ['missing'] },
      {
        example: [
          guardedBy({ apiKeySecurityScheme: { location: 'query', name: 'key' } }),
          rest({ verb: 'GET', path: '/tasks/task-1?lang=en', response: v1.task('WORKING') }),
        ],
        messages: ['missing'],
      },
      {
        example: [guardedBy({ apiKeySecurityScheme: { location: 'cookie', name: 'session' } }), rpc(get)],
        messages: ['missing'],
      },
      {
        example: [
          guardedBy({ oauth2SecurityScheme: { flows } }),
          rpc({ ...get, headers: { Authorization: 'Basic dTpw' } }),
        ],
        messages: ['missing'],
      },
      {
        example: [guardedBy({ openIdConnectSecurityScheme: {} }), rpc(get)],
        messages: ['missing'],
      },
      // Both are demanded.
      {
        example: [
          getCard(
            v1.card({
              securitySchemes: {
                bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
                key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
              },
              securityRequirements: [{ schemes: { bearer: { list: [] }, key: { list: [] } } }],
            }),
          ),
          rpc({ ...get, headers: { Authorization: 'Bearer t-1' } }),
        ],
        messages: ['missing'],
      },
      {
        example: [guarded, rpc({ ...get, headers: { Authorization: 'Basic dTpw' } })],
        messages: ['missing'],
      },
      {
        example: [guarded, rest({ verb: 'GET', path: '/tasks/task-1', ...challenge })],
        messages: ['missing'],
        outcomes: ['warn'],
      },
      // Who has sent credentials before, or sends them in another place, does not wait to be asked.
      {
        example: [
          guarded,
          rpc({ ...get, headers: { Authorization: 'Bearer t-1' } }),
          rest({ verb: 'GET', path: '/tasks/task-1', ...challenge }),
        ],
        messages: ['missing'],
        outcomes: ['fail'],
      },
      {
        example: [guarded, rest({ verb: 'GET', path: '/tasks/task-1?X-API-Key=k-1', ...challenge })],
        messages: ['missing'],
        outcomes: ['fail'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const card = seenCard(exchange, conversation);
    const found = card && satisfiesRequirements(exchange, card);
    return found === 'yes' || found === 'no';
  },
  check: (exchange, { conversation, report }) => {
    const card = seenCard(exchange, conversation);
    if (card === undefined || satisfiesRequirements(exchange, card) !== 'no') return;
    // A call for the extended card without any credentials is XCARD-004.
    if (extendedCardAuthentication(exchange, conversation) === 'no') return;
    const wanted = alternativesOf(card)
      .map((names) => names.join(' and '))
      .join(', or ');
    report('missing', {
      ...(waitsForChallenge(exchange, conversation) ? { outcome: 'warn' as const } : {}),
      data: { wanted },
      at: { side: 'request' },
      expected: wanted,
    });
  },
});

/** Refused, and until then without any credentials: the client may be about to learn what to send. */
function waitsForChallenge(exchange: DecodedExchange, conversation: Conversation): boolean {
  const { caller, callee } = exchange.captured.edge;
  return (
    exchange.response?.status === 401 &&
    !seemsAuthenticated(exchange) &&
    !conversation.callsOf(caller, callee).authorized
  );
}
