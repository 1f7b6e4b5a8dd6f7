import { pointerToken } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { schemesOf } from './declared-security.ts';

/** Members of the `oneof` in the proto's SecurityScheme. */
const kinds = [
  'apiKeySecurityScheme',
  'httpAuthSecurityScheme',
  'oauth2SecurityScheme',
  'openIdConnectSecurityScheme',
  'mtlsSecurityScheme',
] as const;
const card = (scheme: JsonObject) => [getCard(v1.card({ securitySchemes: { login: scheme } }))];

export default defineRule({
  id: 'AUTH-011',
  level: 'MUST',
  party: 'server',
  summary: 'A security scheme of 1.0 has exactly one of the five `…SecurityScheme` members.',
  spec: { '1.0': '4.5.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    none: 'The security scheme {name} has none of the members of 1.0, but {found}',
    several: 'The security scheme {name} has several members: {found}',
  },
  why: 'Clients of 1.0 see a scheme of no kind: they cannot tell where the credentials go, and some refuse the whole card.',
  fix: 'Wrap the scheme into the member of its kind, e.g. `{"httpAuthSecurityScheme": {"scheme": "Bearer"}}`; the `type` of 0.3 may stand beside it.',
  examples: {
    good: [
      card({ httpAuthSecurityScheme: { scheme: 'Bearer' } }),
      card({ type: 'http', scheme: 'Bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } }),
    ],
    skip: [
      [getCard(v1.card())],
      [getCard(v03.card({ securitySchemes: { login: { type: 'http', scheme: 'bearer' } } }))],
    ],
    bad: [
      { example: card({ type: 'http', scheme: 'Bearer' }), messages: ['none'] },
      { example: card({}), messages: ['none'] },
      {
        example: card({ scheme: { $case: 'httpAuthSecurityScheme', value: { scheme: 'Bearer' } } }),
        messages: ['none'],
      },
      {
        example: card({ mtlsSecurityScheme: {}, httpAuthSecurityScheme: { scheme: 'Bearer' } }),
        messages: ['several'],
      },
    ],
  },
  when: ({ card: view }) => schemesOf(view).size > 0,
  check: (subject, { report }) => {
    for (const [name, scheme] of schemesOf(subject.card)) {
      const members = kinds.filter((kind) => scheme[kind] !== undefined && scheme[kind] !== null);
      if (members.length === 1) continue;
      const found = members.length === 0 ? Object.keys(scheme) : members;
      report(members.length === 0 ? 'none' : 'several', {
        data: { name, found: found.join(', ') || 'no member' },
        at: inCard(subject, `/securitySchemes/${pointerToken(name)}`),
        expected: `one of ${kinds.join(', ')}`,
        actual: scheme,
      });
    }
  },
});
