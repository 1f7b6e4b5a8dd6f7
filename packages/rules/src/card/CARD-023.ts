import { isJsonObject } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { itemsOf, memberFault } from './card-members.ts';
import { inCard } from './card-place.ts';

const extensionsOf = ({ card }: CardSubject) => {
  const { capabilities } = card.value;
  return isJsonObject(capabilities) ? itemsOf(capabilities, 'extensions', '/capabilities') : [];
};
const declaring = (extension: { uri?: string | number; required?: boolean }) => ({
  capabilities: { extensions: [extension] },
});

export default defineRule({
  id: 'CARD-023',
  level: 'MUST',
  party: 'server',
  summary: 'Each declared extension has a URI.',
  spec: { '0.2': '5.5.2.1', '0.3': '5.5.2.1', '1.0': '4.4.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'The extension {index} has no `uri`',
    empty: 'The `uri` of extension {index} is empty',
    form: 'The `uri` of extension {index} is {found} instead of a string',
  },
  why: 'The URI is the only name of an extension: without it no client can ask for it. (In 1.0 the schema does not mark it as required, so there it is a warning.)',
  fix: 'Give the extension the URI under which it is published.',
  examples: {
    good: [
      [getCard(v1.card(declaring({ uri: 'https://extensions.example/geo/v1' })))],
      [getCard(v03.card(declaring({ uri: 'https://extensions.example/geo/v1' })))],
    ],
    skip: [[getCard(v1.card())], [getCard(v03.card())]],
    bad: [
      { example: [getCard(v03.card(declaring({ required: false })))], messages: ['missing'] },
      { example: [getCard(v1.card(declaring({ uri: '' })))], messages: ['empty'] },
      { example: [getCard(v1.card(declaring({ required: false })))], messages: ['missing'] },
      { example: [getCard(v1.card(declaring({ uri: 7 })))], messages: ['form'] },
      { example: [getCard(v03.card(declaring({ uri: 7 })))], messages: ['form'] },
    ],
  },
  when: (subject) => extensionsOf(subject).length > 0,
  check: (subject, { report }) => {
    for (const { value, pointer } of extensionsOf(subject)) {
      const fault = memberFault(value, 'uri', 'text');
      if (fault === undefined) continue;
      report(fault, {
        data: { index: Number(pointer.split('/').at(-1)), found: value.uri },
        at: inCard(subject, `${pointer}/uri`),
        ...(subject.card.version === '1.0' ? { outcome: 'warn' as const } : {}),
        expected: 'a URI',
        actual: value.uri,
      });
    }
  },
});
