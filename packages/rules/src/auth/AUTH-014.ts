import { isJsonObject, type JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { schemesOfKind } from './scheme-member-rule.ts';

/** Members of the `oneof` in the proto's OAuthFlows, with the URLs that each has to give. */
const flows: Readonly<Record<string, { readonly urls: readonly string[]; readonly scopes: boolean }>> = {
  authorizationCode: { urls: ['authorizationUrl', 'tokenUrl'], scopes: true },
  clientCredentials: { urls: ['tokenUrl'], scopes: true },
  deviceCode: { urls: ['deviceAuthorizationUrl', 'tokenUrl'], scopes: true },
  // Deprecated, and without REQUIRED members: see AUTH-017.
  implicit: { urls: [], scopes: false },
  password: { urls: [], scopes: false },
};
const tokenUrl = 'https://login.example/token';
const scopes = { read: 'Read tasks' };
const card = (value: JsonObject) => [
  getCard(v1.card({ securitySchemes: { login: { oauth2SecurityScheme: value } } })),
];

export default defineRule({
  id: 'AUTH-014',
  level: 'MUST',
  party: 'server',
  summary: 'An OAuth 2.0 scheme has exactly one flow, with its URLs and scopes.',
  spec: { '1.0': '4.5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    none: 'The OAuth 2.0 scheme {name} has no flow that A2A knows',
    several: 'The OAuth 2.0 scheme {name} has several flows: {found}',
    url: 'The {flow} flow of {name} has {found} as its `{member}`',
    scopes: 'The {flow} flow of {name} has no `scopes`',
  },
  why: 'A client cannot get a token: it does not know where, or does not know for what. Serialisers that drop empty maps leave out `scopes` where there are none, so that is a warning.',
  fix: 'Give one flow with its REQUIRED URLs and `scopes`, empty where there are none; declare further flows as schemes of their own.',
  examples: {
    good: [
      card({ flows: { clientCredentials: { tokenUrl, scopes } } }),
      card({
        flows: { authorizationCode: { authorizationUrl: 'https://login.example/', tokenUrl, scopes: {} } },
      }),
    ],
    skip: [[getCard(v1.card())], [getCard(v03.card())]],
    bad: [
      { example: card({ flows: {} }), messages: ['none'] },
      {
        example: card({
          flows: {
            clientCredentials: { tokenUrl, scopes },
            deviceCode: { deviceAuthorizationUrl: 'https://login.example/device', tokenUrl, scopes },
          },
        }),
        messages: ['several'],
      },
      { example: card({ flows: { clientCredentials: { scopes } } }), messages: ['url'] },
      { example: card({ flows: { clientCredentials: { tokenUrl: '', scopes } } }), messages: ['url'] },
      { example: card({ flows: { clientCredentials: { tokenUrl } } }), messages: ['scopes'] },
    ],
  },
  when: (subject) => schemesOfKind(subject, 'oauth2SecurityScheme').length > 0,
  check: (subject, { report }) => {
    for (const { name, value, pointer } of schemesOfKind(subject, 'oauth2SecurityScheme')) {
      const declared = isJsonObject(value.flows) ? value.flows : {};
      const known = Object.keys(flows).filter((flow) => isJsonObject(declared[flow]));
      const at = (place: string) => inCard(subject, `${pointer}/flows${place}`);
      const expected = `one of ${Object.keys(flows).join(', ')}`;
      if (known.length === 0) report('none', { data: { name }, at: at(''), expected, actual: value.flows });
      if (known.length > 1)
        report('several', { data: { name, found: known.join(', ') }, at: at(''), expected });
      for (const flow of known) {
        const settings = declared[flow];
        const wanted = flows[flow];
        if (!isJsonObject(settings) || wanted === undefined) continue;
        for (const member of wanted.urls) {
          const found = settings[member];
          if (typeof found === 'string' && found !== '') continue;
          report('url', {
            data: { flow, name, member, found },
            at: at(`/${flow}/${member}`),
            expected: 'a URL',
            actual: found,
          });
        }
        if (wanted.scopes && !isJsonObject(settings.scopes))
          report('scopes', {
            outcome: 'warn',
            data: { flow, name },
            at: at(`/${flow}/scopes`),
            expected: 'an object of scopes and their descriptions',
            actual: settings.scopes,
          });
      }
    }
  },
});
