import { isJsonObject } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';
import { secretForm } from './secret-values.ts';

const card01 = (credentials: string | undefined) =>
  getCard(
    {
      name: 'Example agent',
      url: 'https://agent.example/a2a',
      version: '1.2.3',
      authentication: { schemes: ['Bearer'], ...(credentials === undefined ? {} : { credentials }) },
      capabilities: {},
      skills: [{ id: 'answer', name: 'Answer' }],
    },
    { url: 'https://agent.example/.well-known/agent.json' },
  );

/** `authentication.credentials` of a 0.1 card; undefined where it is no text. */
function credentialsOf({ card }: CardSubject): string | undefined {
  const { authentication } = card.value;
  const found = isJsonObject(authentication) ? authentication.credentials : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Replaced by the recorder, because of its name: nobody can tell what it was. */
const isReplaced = (text: string): boolean => text.startsWith('‹hmac:');

export default defineRule({
  id: 'CARD-025',
  level: 'MUST',
  party: 'server',
  summary: '`authentication.credentials` of a 0.1 card is configuration, never a secret.',
  spec: { '0.1': '5.5.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    secret: '`authentication.credentials` of the card holds what looks like {kind}',
    opaque: '`authentication.credentials` of the card is one opaque word, which may be a secret',
  },
  why: 'Everybody can read the card. (A word that is neither a URL nor JSON nor a sentence is a warning: it may be the name of something.)',
  fix: 'Write there where credentials are to be had, or the name of the header, but never the value.',
  examples: {
    good: [[card01('{"authorizationUrl":"https://auth.example/authorize"}')], [card01('X-API-Key')]],
    skip: [[card01(undefined)], [card01('‹hmac:0123456789abcdef›')], [getCard(v03.card())]],
    bad: [
      { example: [card01(`Bearer ${'a1b2c3'.repeat(4)}`)], messages: ['secret'], outcomes: ['fail'] },
      { example: [card01('9f86d081884c7d659a2feaa0c55ad015')], messages: ['opaque'], outcomes: ['warn'] },
    ],
  },
  when: (subject) => {
    const found = credentialsOf(subject);
    if (found === undefined) return false;
    return isReplaced(found) ? 'undecidable' : true;
  },
  check: (subject, { report }) => {
    const found = credentialsOf(subject);
    if (found === undefined) return;
    const at = inCard(subject, '/authentication/credentials');
    const expected = 'configuration such as a URL, no secret value';
    const kind = secretForm(found);
    if (kind !== undefined) report('secret', { data: { kind }, at, expected });
    // Long runs of letters and digits together are not what people call things.
    else if (/^[A-Za-z0-9_+/=-]{20,512}$/.test(found) && /\d/.test(found) && /[A-Za-z]/.test(found))
      report('opaque', { at, outcome: 'warn', expected });
  },
});
