import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { isLabHost } from '../lab-host.ts';
import { schemesOfKind } from './scheme-member-rule.ts';

const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } };
const card = (oauth2MetadataUrl: string | undefined) => [
  getCard(
    v1.card({
      securitySchemes: {
        login: {
          oauth2SecurityScheme: { flows, ...(oauth2MetadataUrl === undefined ? {} : { oauth2MetadataUrl }) },
        },
      },
    }),
  ),
];

export default defineRule({
  id: 'AUTH-016',
  level: 'MUST',
  party: 'server',
  summary: 'The `oauth2MetadataUrl` of a scheme is an https URL.',
  spec: { '1.0': '4.5.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { url: 'The OAuth 2.0 metadata of {name} is at {found}, which is no https URL' },
  why: 'Whoever can change this document on the way sends clients to a login page of his own.',
  fix: 'Publish the authorization server metadata (RFC 8414) by TLS, and give its https URL.',
  examples: {
    good: [card('https://login.example/.well-known/oauth-authorization-server')],
    skip: [card(undefined), card('http://localhost:8080/.well-known/oauth-authorization-server')],
    bad: [{ example: card('http://login.example/metadata'), messages: ['url'] }],
  },
  when: (subject) => metadataUrls(subject).length > 0,
  check: (subject, { report }) => {
    for (const { name, url, pointer } of metadataUrls(subject)) {
      if (URL.parse(url)?.protocol === 'https:') continue;
      report('url', {
        data: { name, found: url },
        at: inCard(subject, `${pointer}/oauth2MetadataUrl`),
        expected: 'an https URL',
        actual: url,
      });
    }
  },
});

/** Metadata URLs outside of labs. */
function metadataUrls(subject: Parameters<typeof schemesOfKind>[0]) {
  return schemesOfKind(subject, 'oauth2SecurityScheme').flatMap(({ name, value, pointer }) => {
    const url = value.oauth2MetadataUrl;
    if (typeof url !== 'string' || url === '') return [];
    const host = URL.parse(url)?.hostname;
    return host !== undefined && isLabHost(host) ? [] : [{ name, url, pointer }];
  });
}
