import { isJsonObject, type JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { schemesOfKind } from './scheme-member-rule.ts';

const card = (flows: JsonObject) => [
  getCard(v1.card({ securitySchemes: { login: { oauth2SecurityScheme: { flows } } } })),
];

export default defineRule({
  id: 'AUTH-017',
  level: 'SHOULD',
  party: 'server',
  summary: 'Cards declare neither the implicit nor the password flow of OAuth 2.0.',
  spec: { '1.0': '4.5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { deprecated: 'The OAuth 2.0 scheme {name} declares the {flow} flow, which is deprecated' },
  why: 'Tokens show up in URLs and browser histories with the one, and passwords go through the client with the other.',
  fix: 'Use authorizationCode with PKCE, deviceCode or clientCredentials.',
  examples: {
    good: [card({ clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } })],
    skip: [[getCard(v1.card())]],
    bad: [
      {
        example: card({ implicit: { authorizationUrl: 'https://login.example/', scopes: {} } }),
        messages: ['deprecated'],
      },
      {
        example: card({ password: { tokenUrl: 'https://login.example/token', scopes: {} } }),
        messages: ['deprecated'],
      },
    ],
  },
  when: (subject) =>
    schemesOfKind(subject, 'oauth2SecurityScheme').some(({ value }) => isJsonObject(value.flows)),
  check: (subject, { report }) => {
    for (const { name, value, pointer } of schemesOfKind(subject, 'oauth2SecurityScheme')) {
      for (const flow of ['implicit', 'password']) {
        if (!isJsonObject(value.flows) || !isJsonObject(value.flows[flow])) continue;
        report('deprecated', {
          data: { name, flow },
          at: inCard(subject, `${pointer}/flows/${flow}`),
          expected: 'authorizationCode, deviceCode or clientCredentials',
        });
      }
    }
  },
});
