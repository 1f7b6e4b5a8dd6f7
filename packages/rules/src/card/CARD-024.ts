import { isJsonObject } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';
import { secretForm, secretsIn } from './secret-values.ts';

const key = (description: string) => ({
  securitySchemes: { key: { apiKeySecurityScheme: { description, location: 'header', name: 'X-API-Key' } } },
});
const leaked = `Send sk-${'a1b2'.repeat(8)} in this header`;

/** Put together here, so that no scanner takes this file for a leak. */
const secrets = [
  `${'-----BEGIN'} EC PRIVATE KEY-----`,
  `${'eyJ'}${'a1b2'.repeat(3)}.eyJ${'a1b2'.repeat(3)}.`,
  `${'ghp'}_${'a1b2'.repeat(8)}`,
  `${'AKIA'}${'A1B2'.repeat(4)}`,
  `${'AIza'}${'a1b2c'.repeat(7)}`,
  `${'xoxb'}-${'a1b2'.repeat(4)}`,
  `${'sk'}_live_${'a1b2'.repeat(4)}`,
  `Bearer ${'a1b2'.repeat(5)}`,
  `Basic ${Buffer.from('bot:hunter2').toString('base64')}`,
];

export default defineRule({
  id: 'CARD-024',
  level: 'SHOULD',
  party: 'server',
  summary: 'The card holds no secrets: no tokens, keys or passwords.',
  spec: { '0.1': '5.4', '0.2': '5.4', '0.3': '5.4', '1.0': '14.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { secret: 'The card holds what looks like {kind}' },
  why: 'Everybody can read the card, and caches and registries keep it.',
  fix: 'Take the value out of the card, replace it where it is used, and tell clients out of band how to get their own.',
  examples: {
    good: [
      [getCard(v1.card(key('Ask for a key at https://agent.example/keys')))],
      [getCard(v03.card())],
      // Ordinary words, placeholders, and members in which anything may stand.
      ...['Basic arithmetic2', 'Made with sk-learn_and_other_libraries', 'Bearer tokens-are-not-here'].map(
        (text) => [getCard(v1.card(key(text)))],
      ),
      [getCard(v1.card(key(`Send sk-${'a1b2'.repeat(8)}…`)))],
      [getCard(v1.card({ 'x-login': { password: '<password>' } }))],
      [getCard(v1.card({ 'x-login': { params: { password: 'correct-horse-7' } } }))],
    ],
    skip: [
      [getCard({ detail: 'Not Found' }, { status: 404 })],
      [
        rpc({
          method: 'GetExtendedAgentCard',
          headers: { Authorization: 'Bearer t-1' },
          result: v1.card(),
        }),
      ],
    ],
    bad: [
      { example: [getCard(v1.card(key(leaked)))], messages: ['secret'] },
      ...secrets.map((text) => ({
        example: [getCard(v1.card(key(text)))],
        messages: ['secret'] as const,
      })),
      { example: [getCard(v1.card({ 'x-login': { password: ['correct-horse-7'] } }))], messages: ['secret'] },
      {
        example: [getCard(v1.card({ documentationUrl: 'https://bot:hunter2@docs.agent.test/api' }))],
        messages: ['secret'],
      },
    ],
  },
  // The extended card is the subject of XCARD-008.
  when: ({ extended }) => !extended,
  check: (subject, { report }) => {
    for (const { pointer, kind } of secretsIn(subject.card.value)) {
      // The credentials of a 0.1 card are CARD-025.
      if (
        pointer === '/authentication/credentials' &&
        subject.card.version === '0.1' &&
        isSaidElsewhere(subject)
      )
        continue;
      report('secret', { data: { kind }, at: inCard(subject, pointer), expected: 'no secret values' });
    }
  },
});

/** The value itself has the form of a secret, which CARD-025 says. */
function isSaidElsewhere({ card }: CardSubject): boolean {
  const { authentication } = card.value;
  const found = isJsonObject(authentication) ? authentication.credentials : undefined;
  return typeof found === 'string' && secretForm(found) !== undefined;
}
