import { pointerToken } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { schemesOf } from './declared-security.ts';

const card = (scheme: JsonObject) => [getCard(v03.card({ securitySchemes: { login: scheme } }))];
const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } };

export default defineRule({
  id: 'AUTH-026',
  level: 'MUST',
  party: 'server',
  summary: 'Security schemes of 0.2 and 0.3 cards have the members that their type needs.',
  spec: { '0.2': '5.5.3', '0.3': '5.5.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    member: 'The {type} scheme {name} has {found} as its `{member}`',
    flow: 'Flow {flow} of the scheme {name} declares {found} as `{member}`',
  },
  why: 'A client that reads the card by its type refuses the whole card, or does not know where the credentials go.',
  fix: 'Give apiKey `in` (query, header or cookie) and `name`, http `scheme`, oauth2 `flows` with their URLs and `scopes`, and openIdConnect `openIdConnectUrl`.',
  examples: {
    good: [
      card({ type: 'apiKey', in: 'header', name: 'X-API-Key' }),
      card({ type: 'http', scheme: 'bearer' }),
      card({ type: 'oauth2', flows }),
    ],
    skip: [
      [getCard(v03.card())],
      [getCard(v1.card())],
      // Another rule speaks of types that there are not.
      card({ type: 7 }),
      card({ type: 'passkey' }),
    ],
    bad: [
      { example: card({ type: 'apiKey', in: 'body', name: 'key' }), messages: ['member'] },
      { example: card({ type: 'apiKey', name: 'key' }), messages: ['member'] },
      { example: card({ type: 'http' }), messages: ['member'] },
      { example: card({ type: 'http', scheme: '' }), messages: ['member'] },
      {
        example: card({
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: 'read' } },
        }),
        messages: ['flow'],
      },
      { example: card({ type: 'openIdConnect' }), messages: ['member'] },
      { example: card({ type: 'oauth2' }), messages: ['member'] },
      {
        example: card({ type: 'oauth2', flows: { clientCredentials: { scopes: {} } } }),
        messages: ['flow'],
      },
    ],
  },
  when: (subject) => knownSchemes(subject).length > 0,
  check: (subject, { report }) => {
    for (const { name, type, scheme } of knownSchemes(subject)) {
      const pointer = `/securitySchemes/${pointerToken(name)}`;
      for (const [member, isGood, expected] of membersOf[type] ?? []) {
        const found = scheme[member];
        if (isGood(found)) continue;
        report('member', {
          data: { name, type, member, found },
          at: inCard(subject, `${pointer}/${member}`),
          expected,
          actual: found,
        });
      }
      if (!isJsonObject(scheme.flows)) continue;
      for (const [flow, members] of flowMembers) {
        const declared = scheme.flows[flow];
        if (!isJsonObject(declared)) continue;
        for (const member of members) {
          const found = declared[member];
          if (member === 'scopes' ? isJsonObject(found) : isText(found)) continue;
          report('flow', {
            data: { name, flow, member, found },
            at: inCard(subject, `${pointer}/flows/${flow}/${member}`),
            expected: member === 'scopes' ? 'an object of scopes' : 'a URL',
            actual: found,
          });
        }
      }
    }
  },
});

const isText = (value: Json | undefined): boolean => typeof value === 'string' && value !== '';
const places: ReadonlySet<Json> = new Set(['query', 'header', 'cookie']);

type MemberCheck = readonly [member: string, isGood: (value: Json | undefined) => boolean, expected: string];

const membersOf: Readonly<Record<string, readonly MemberCheck[]>> = {
  apiKey: [
    ['in', (value) => value !== undefined && places.has(value), 'query, header or cookie'],
    ['name', isText, 'a name'],
  ],
  http: [['scheme', isText, 'the name of an HTTP authentication scheme']],
  oauth2: [['flows', isJsonObject, 'an object of flows']],
  openIdConnect: [['openIdConnectUrl', isText, 'a URL']],
};

const flowMembers: readonly (readonly [flow: string, members: readonly string[]])[] = [
  ['authorizationCode', ['authorizationUrl', 'tokenUrl', 'scopes']],
  ['clientCredentials', ['tokenUrl', 'scopes']],
  ['implicit', ['authorizationUrl', 'scopes']],
  ['password', ['tokenUrl', 'scopes']],
];

/** Schemes of a type that asks for members; CARD-039 judges the type itself. */
function knownSchemes({ card: view }: CardSubject) {
  return [...schemesOf(view)].flatMap(([name, scheme]) => {
    const { type } = scheme;
    return typeof type === 'string' && Object.hasOwn(membersOf, type) ? [{ name, type, scheme }] : [];
  });
}
