import { header, type JsonObject } from '@plugfest/model';
import type { Conversation, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { cardsSeenByCaller } from '../seen-by-caller.ts';
import { challengedSchemes, declaredHttpSchemes } from './challenges.ts';

const get = { verb: 'GET', path: '/tasks/task-1', status: 401, responseText: '' } as const;
const call = { method: 'GetTask', params: { id: 'task-1' } } as const;

const guardedBy = (...schemes: readonly JsonObject[]) =>
  getCard(
    v1.card({
      securitySchemes: Object.fromEntries(schemes.map((scheme, i) => [`scheme-${i}`, scheme])),
    }),
  );
const guarded = guardedBy({ httpAuthSecurityScheme: { scheme: 'Bearer' } });
const guarded03By = (scheme: JsonObject) => getCard(v03.card({ securitySchemes: { login: scheme } }));
const guarded01 = (authentication: JsonObject) =>
  getCard(v03.card({ protocolVersion: undefined, preferredTransport: undefined, authentication }), {
    url: 'https://agent.example/.well-known/agent.json',
  });
const asks = (challenge: string) => ({ 'WWW-Authenticate': challenge });
const refused = { ...call, status: 401, responseText: '' } as const;
const refused03 = { ...refused, version: '0.3', method: 'tasks/get' } as const;

export default defineRule({
  id: 'AUTH-003',
  level: 'SHOULD',
  party: 'server',
  summary: 'An HTTP 401 names in `WWW-Authenticate` a scheme that the card declares.',
  spec: { '0.1': '4.4', '0.2': '4.4', '0.3': '4.4', '1.0': '7.4' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    missing: 'The HTTP 401 has no `WWW-Authenticate` header',
    undeclared: 'The HTTP 401 asks for {found}, and the card declares {declared}',
  },
  why: 'A client with several kinds of credentials cannot tell which one is wanted, nor whether its token has run out; and what the card does not declare it did not bring.',
  fix: 'Send `WWW-Authenticate` with every 401 and name a scheme that the card declares, e.g. `Bearer realm="agent"`.',
  examples: {
    good: [
      [guarded, rest({ ...get, responseHeaders: asks('Bearer realm="agent"') })],
      [guarded, rpc({ ...refused, responseHeaders: asks('Digest realm="a, Basic", nonce="n", bearer') })],
      [
        guardedBy({ openIdConnectSecurityScheme: { openIdConnectUrl: 'https://login.example/' } }),
        rpc({ ...refused, responseHeaders: asks('DPoP algs="ES256"') }),
      ],
      // HTTP has no scheme for API keys: any name may stand for them.
      [
        guardedBy(
          { httpAuthSecurityScheme: { scheme: 'Basic' } },
          { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
        ),
        rpc({ ...refused, responseHeaders: asks('ApiKey') }),
      ],
      [
        guarded03By({ type: 'http', scheme: 'basic' }),
        rpc({ ...refused03, responseHeaders: asks('Basic realm="agent"') }),
      ],
      [
        guarded03By({ type: 'oauth2', flows: {} }),
        rpc({ ...refused03, responseHeaders: asks('Bearer error="invalid_token"') }),
      ],
      [guarded01({ schemes: ['Bearer'] }), rpc({ ...refused03, responseHeaders: asks('Bearer') })],
      [guarded01({ schemes: ['OAuth2'] }), rpc({ ...refused03, responseHeaders: asks('Bearer') })],
      [guarded01({ schemes: ['apiKey'] }), rpc({ ...refused03, responseHeaders: asks('ApiKey') })],
    ],
    skip: [
      [rest({ ...get, status: 403 })],
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'agent/getAuthenticatedExtendedCard', status: 401, responseText: '' })],
      // What the card declares is not known.
      [rest({ ...get, responseHeaders: asks('Bearer') })],
      [guarded, rest({ ...get, from: 'another client', responseHeaders: asks('Basic') })],
    ],
    bad: [
      { example: [rest(get)], messages: ['missing'] },
      { example: [rpc(refused)], messages: ['missing'] },
      { example: [guarded, rest({ ...get, responseHeaders: asks('Basic') })], messages: ['undeclared'] },
      {
        example: [
          guarded,
          rpc({ ...refused, responseHeaders: asks('Basic realm="Bearer, bearer", charset = "UTF-8"') }),
        ],
        messages: ['undeclared'],
      },
      {
        example: [getCard(v1.card()), rpc({ ...refused, responseHeaders: asks('Bearer') })],
        messages: ['undeclared'],
      },
      {
        example: [
          guarded03By({ type: 'http', scheme: 'basic' }),
          rpc({ ...refused03, responseHeaders: asks('Bearer') }),
        ],
        messages: ['undeclared'],
      },
      {
        example: [guarded01({ schemes: ['Bearer'] }), rpc({ ...refused03, responseHeaders: asks('Basic') })],
        messages: ['undeclared'],
      },
      {
        example: [guarded01({ schemes: 'Bearer' }), rpc({ ...refused03, responseHeaders: asks('Basic') })],
        messages: ['undeclared'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const { response, operation, dialect } = exchange;
    // There 7.10 says it for this operation by itself, which XCARD-012 judges.
    if (response?.status !== 401 || (operation === 'GetExtendedAgentCard' && dialect.version === '0.3'))
      return false;
    if (challengeOf(exchange) === '') return true;
    return cardsSeenByCaller(exchange, conversation).length > 0 ? true : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const found = challengeOf(exchange);
    const at = { side: 'response', header: 'www-authenticate' } as const;
    if (found === '') {
      report('missing', { at, expected: 'a challenge such as Bearer realm="agent"' });
      return;
    }
    const declared = declaredTo(exchange, conversation);
    if (declared === undefined) return;
    const asked = challengedSchemes(exchange.captured.response?.headers ?? []);
    if (asked.some((scheme) => declared.has(scheme))) return;
    const names = declared.size === 0 ? 'no scheme' : [...declared].join(', ');
    report('undeclared', {
      at,
      data: { found: asked.length === 0 ? found : asked.join(', '), declared: names },
      expected: names,
      actual: found,
    });
  },
});

const challengeOf = ({ captured }: Subjects['exchange']): string =>
  header(captured.response?.headers ?? [], 'www-authenticate')?.trim() ?? '';

/** HTTP schemes of all cards that the caller has seen; undefined where one of them may mean any. */
function declaredTo(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): ReadonlySet<string> | undefined {
  const declared = new Set<string>();
  for (const { card } of cardsSeenByCaller(exchange, conversation)) {
    const schemes = declaredHttpSchemes(card);
    if (schemes === undefined) return undefined;
    for (const scheme of schemes) declared.add(scheme);
  }
  return declared;
}
