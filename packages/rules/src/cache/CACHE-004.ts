import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { isPlainFetch } from './card-responses.ts';
import { sameTag } from './same-tag.ts';

const tagged = (ETag: string, more = {}) => getCard(v1.card(more), { responseHeaders: { ETag } });
const reordered = getCard(Object.fromEntries(Object.entries(v1.card()).reverse()), {
  responseHeaders: { ETag: '"1.2.3"' },
});

export default defineRule({
  id: 'CACHE-004',
  level: 'MUST',
  party: 'server',
  summary: 'Under one strong `ETag` an agent always serves the same card, byte for byte.',
  spec: { '1.0': '8.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    content: 'The card has the same strong `ETag` {etag} as an earlier one with other content',
    bytes: 'The card has the same strong `ETag` {etag} as an earlier one that was written in another way',
  },
  why: 'A client that names the tag is told that nothing changed, and goes on with the old card. Where only white space or order differ nothing is lost, so that is a warning.',
  fix: 'Make the tag from a hash of the bytes that are sent, or mark it as weak: `W/"…"`.',
  examples: {
    good: [[tagged('"1.2.3"'), tagged('"1.2.3"')]],
    skip: [
      [tagged('"1.2.3"'), tagged('"1.2.4"', { version: '1.2.4' })],
      [tagged('W/"1"'), tagged('W/"1"', { version: '1.2.4' })],
    ],
    bad: [
      {
        example: [tagged('"a"'), tagged('"a"', { version: '1.2.4' })],
        messages: ['content'],
        outcomes: ['fail'],
      },
      { example: [tagged('"1.2.3"'), reordered], messages: ['bytes'], outcomes: ['warn'] },
    ],
  },
  when: (subject, { conversation }) =>
    isPlainFetch(subject) && sameTag(subject.exchange, conversation) !== undefined,
  check: (subject, { conversation, report }) => {
    const found = sameTag(subject.exchange, conversation);
    if (found === undefined) return;
    const { now, before } = found;
    const at = { side: 'response', header: 'etag' } as const;
    const data = { etag: now.etag };
    const last = before.at(-1);
    if (last === undefined || last.bytes === now.bytes) return;
    if (last.content !== now.content)
      report('content', { data, at, expected: 'another ETag for another card', actual: now.etag });
    else
      report('bytes', {
        data,
        at,
        outcome: 'warn',
        expected: 'the same bytes, or a weak ETag',
        actual: now.etag,
      });
  },
});
