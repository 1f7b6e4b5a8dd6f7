import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { cardHeader, isPlainFetch } from './card-responses.ts';

const withTag = (ETag: string | undefined) => getCard(v1.card(), { responseHeaders: { ETag } });

export default defineRule({
  id: 'CACHE-002',
  level: 'SHOULD',
  party: 'server',
  summary: 'The card comes with an `ETag`.',
  spec: { '1.0': '8.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'The response with the card has no `ETag`',
    form: 'The `ETag` of the card is {found}, which is no entity tag',
  },
  why: 'A client whose copy has expired cannot ask whether it still holds, and loads the whole card again.',
  fix: 'Send an `ETag` made from a hash of the card, in double quotes, and answer 304 where the client names it.',
  examples: {
    good: [[getCard(v1.card())], [withTag('W/"1.2.3"')]],
    skip: [[getCard(v03.card())], [getCard({ detail: 'Not Found' }, { status: 404 })]],
    bad: [
      { example: [withTag(undefined)], messages: ['missing'] },
      { example: [withTag('1.2.3')], messages: ['form'] },
      { example: [withTag('w/"1.2.3"')], messages: ['form'] },
      { example: [withTag('"1.2.3", "1.2.4"')], messages: ['form'] },
      { example: [withTag(undefined), withTag(undefined), withTag('1.2.3')], messages: ['missing', 'form'] },
    ],
  },
  when: isPlainFetch,
  check: (subject, { conversation, report }) => {
    const found = cardHeader(subject, 'etag');
    // RFC 9110 section 8.8.3: quoted, with `W/` in front where it is weak.
    if (/^(?:W\/)?"[^"\s]*"$/.test(found ?? '')) return;
    // An agent that leaves it out does so each time: once is enough to say it.
    if (found === undefined && conversation.cardFetches.hasLacked(subject.exchange, 'etag')) return;
    report(found === undefined ? 'missing' : 'form', {
      data: { found },
      at: { side: 'response', header: 'etag' },
      expected: 'an entity tag in double quotes',
      actual: found,
    });
  },
});
