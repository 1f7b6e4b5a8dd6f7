import { isJsonObject, type Json } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { cardWith, cite, declarationsIn, geo } from './extensions.ts';

/** URIs of extensions at the top level of a card. */
function misplaced({ card }: CardSubject): readonly string[] {
  const { extensions } = card.value;
  if (!Array.isArray(extensions)) return [];
  return extensions.flatMap((entry: Json) =>
    isJsonObject(entry) && typeof entry.uri === 'string' ? [entry.uri] : [],
  );
}

export default defineRule({
  id: 'EXT-013',
  level: 'MUST',
  party: 'server',
  summary: 'Extensions are declared in `capabilities.extensions`, not at the top level of the card.',
  spec: { '1.0': '4.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { top: 'The card declares {extensions} in `extensions` instead of `capabilities.extensions`' },
  why: 'Clients read the schema and do not find the declaration. (The prose of the specification also names the wrong place in section 4.6.1; the proto decides, section 1.4.)',
  fix: 'Move the list into `capabilities`.',
  examples: {
    good: [
      [getCard(cardWith({ uri: geo }))],
      [getCard({ ...cardWith({ uri: geo }), extensions: [{ uri: geo }] })],
    ],
    skip: [[getCard(v1.card())]],
    bad: [
      { example: [getCard(v1.card({ extensions: [{ uri: geo }] }))], messages: ['top'] },
      {
        example: [getCard(v1.card({ extensions: [{ uri: geo }, { uri: cite }, 'geo', { required: true }] }))],
        messages: ['top'],
      },
    ],
  },
  when: (subject) => declarationsIn(subject.card.value).length > 0 || misplaced(subject).length > 0,
  check: (subject, { report }) => {
    const inPlace = new Set(declarationsIn(subject.card.value).map(({ value }) => value.uri));
    const lost = misplaced(subject).filter((uri) => !inPlace.has(uri));
    if (lost.length === 0) return;
    report('top', {
      data: { extensions: lost.slice(0, 8).join(', ') },
      at: inCard(subject, '/extensions'),
      expected: 'capabilities.extensions',
    });
  },
});
