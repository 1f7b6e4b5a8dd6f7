import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule, freshForS, isConditional } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { refetch } from './card-responses.ts';

/** The stored card has expired and has something to ask by. */
function mayRevalidate(exchange: DecodedExchange, conversation: Conversation): boolean | 'undecidable' {
  const found = refetch(exchange, conversation);
  if (found === undefined) return false;
  if (found === 'undecidable') return 'undecidable';
  const { caching } = found.stored;
  if (caching.etag === undefined && caching.lastModified === undefined) return false;
  if (caching.directives.has('no-cache')) return true;
  return found.ageS >= (freshForS(caching) ?? Number.POSITIVE_INFINITY);
}

const minute = { 'Cache-Control': 'max-age=60', ETag: '"1.2.3"' };
const dated = { ...minute, ETag: undefined, 'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };
const askAlways = { ...minute, 'Cache-Control': 'no-cache, max-age=60' };
const at = (time: string, more = {}) => ({
  ...getCard(v1.card(), { responseHeaders: minute, ...more }),
  at: `2026-01-01T${time}.000Z`,
});
const unchanged = (time: string) => ({
  ...getCard(null, {
    headers: { 'If-None-Match': '"1.2.3"' },
    status: 304,
    text: '',
    responseHeaders: { ...minute, 'Content-Type': undefined },
  }),
  at: `2026-01-01T${time}.000Z`,
});

export default defineRule({
  id: 'CACHE-007',
  level: 'SHOULD',
  party: 'client',
  summary: 'When its card has expired, a client asks whether it has changed instead of loading it again.',
  spec: { '1.0': '8.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  about: ['card'],
  messages: {
    unconditional:
      'The client loads the card again without `If-None-Match` or `If-Modified-Since`, though the one it had came with {validator}',
  },
  why: 'The whole card is sent and parsed again, though it hardly ever changes.',
  fix: 'Keep `ETag` and `Last-Modified` with the card, and send them back in `If-None-Match` and `If-Modified-Since`.',
  examples: {
    good: [
      [at('00:00:00'), unchanged('00:01:30')],
      [at('00:00:00', { responseHeaders: askAlways }), unchanged('00:00:10')],
    ],
    skip: [
      [at('00:00:00')],
      [at('00:00:00'), at('00:01:30', { from: 'another client' })],
      [
        at('00:00:00', { responseHeaders: { ...minute, ETag: undefined } }),
        at('00:01:30', { responseHeaders: { ...minute, ETag: undefined } }),
      ],
    ],
    bad: [
      { example: [at('00:00:00'), at('00:01:30')], messages: ['unconditional'] },
      {
        example: [at('00:00:00', { responseHeaders: dated }), at('00:01:30', { responseHeaders: dated })],
        messages: ['unconditional'],
      },
      {
        example: [
          at('00:00:00', { responseHeaders: askAlways }),
          at('00:00:10', { responseHeaders: askAlways }),
        ],
        messages: ['unconditional'],
      },
    ],
  },
  when: (exchange, { conversation }) => mayRevalidate(exchange, conversation),
  check: (exchange, { conversation, report }) => {
    const found = refetch(exchange, conversation);
    if (typeof found !== 'object' || isConditional(exchange)) return;
    const { etag, lastModified } = found.stored.caching;
    const validator = etag === undefined ? `Last-Modified ${lastModified}` : `ETag ${etag}`;
    report('unconditional', {
      data: { validator },
      at: { side: 'request' },
      expected: etag === undefined ? `If-Modified-Since: ${lastModified}` : `If-None-Match: ${etag}`,
    });
  },
});
