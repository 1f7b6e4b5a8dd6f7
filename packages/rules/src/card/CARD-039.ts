import { pointerToken } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

const types: ReadonlySet<Json> = new Set(['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS']);
const bearer = { bearer: { type: 'http', scheme: 'bearer' } };

const isRequirement = (value: Json): boolean =>
  isJsonObject(value) && Object.values(value).every((scopes) => Array.isArray(scopes));

export default defineRule({
  id: 'CARD-039',
  level: 'MUST',
  party: 'server',
  summary:
    'Security of a 0.2 or 0.3 card follows OpenAPI 3.0: schemes told apart by `type`, and lists of scopes by scheme.',
  spec: { '0.2': '5.5.3', '0.3': '5.5.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    type: 'The security scheme {name} has the type {found}, which OpenAPI 3.0 does not have',
    requirement: '`security` is {found} instead of a list of objects with lists of scopes',
  },
  why: 'Clients that read the card with an OpenAPI model refuse it, or send no credentials at all.',
  fix: 'Write schemes as `{"type": "http", "scheme": "bearer"}` and requirements as `[{"bearer": []}]`.',
  examples: {
    good: [[getCard(v03.card({ securitySchemes: bearer, security: [{ bearer: [] }] }))]],
    skip: [[getCard(v03.card())], [getCard(v1.card())]],
    bad: [
      {
        example: [
          getCard(
            v03.card({ securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'bearer' } } } }),
          ),
        ],
        messages: ['type'],
      },
      {
        example: [getCard(v03.card({ securitySchemes: bearer, security: { bearer: [] } }))],
        messages: ['requirement'],
      },
    ],
  },
  // HTTP+JSON and gRPC of 0.3 give the extended card in the form of the proto, which has wrappers instead of `type`.
  when: ({ card, exchange }) =>
    !(exchange.kind === 'operation' && exchange.dialect.binding !== 'JSONRPC') &&
    (isJsonObject(card.value.securitySchemes) || (card.value.security ?? null) !== null),
  check: (subject, { report }) => {
    const { securitySchemes, security } = subject.card.value;
    if (isJsonObject(securitySchemes))
      for (const [name, scheme] of Object.entries(securitySchemes)) {
        const found = isJsonObject(scheme) ? scheme.type : scheme;
        if (found === undefined || !types.has(found))
          report('type', {
            data: { name, found },
            at: inCard(subject, `/securitySchemes/${pointerToken(name)}/type`),
            expected: [...types].join(', '),
            actual: found,
          });
      }
    if (security === undefined || security === null) return;
    if (!Array.isArray(security) || !security.every(isRequirement))
      report('requirement', {
        data: { found: security },
        at: inCard(subject, '/security'),
        expected: '[{"scheme": ["scope"]}]',
        actual: security,
      });
  },
});
