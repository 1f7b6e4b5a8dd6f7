import { defineRule, freshForS, sentCaching } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isPlainFetch } from './card-responses.ts';

const withCacheControl = (value: string | undefined) =>
  getCard(v1.card(), { responseHeaders: { 'Cache-Control': value } });

export default defineRule({
  id: 'CACHE-001',
  level: 'SHOULD',
  party: 'server',
  summary: 'The card comes with `Cache-Control` and a `max-age`.',
  spec: { '1.0': '8.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'The response with the card has no `Cache-Control`',
    age: '`Cache-Control` of the card is {found}, without a `max-age`',
  },
  why: 'Each client decides by itself how long it uses a card: some fetch it before every call, others never again.',
  fix: 'Send `Cache-Control: max-age=N` with the card, where N is how many seconds it may be used.',
  examples: {
    good: [[getCard(v1.card())], [withCacheControl('private, max-age=0, must-revalidate')]],
    skip: [
      [getCard(v03.card())],
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
      { example: [withCacheControl(undefined)], messages: ['missing'] },
      { example: [withCacheControl(undefined), withCacheControl(undefined)], messages: ['missing'] },
      { example: [withCacheControl('no-cache')], messages: ['age'] },
      { example: [withCacheControl('max-age=soon')], messages: ['age'] },
      { example: [withCacheControl('private, must-revalidate')], messages: ['age'] },
    ],
  },
  when: isPlainFetch,
  check: ({ exchange }, { conversation, report }) => {
    const { response } = exchange.captured;
    if (response === undefined) return;
    const caching = sentCaching(response);
    if (freshForS(caching) !== undefined) return;
    // An agent that leaves it out does so each time: once is enough to say it.
    if (!caching.hasCacheControl && conversation.cardFetches.hasLacked(exchange, 'cache-control')) return;
    const found = [...caching.directives]
      .map(([name, value]) => (value ? `${name}=${value}` : name))
      .join(', ');
    report(caching.hasCacheControl ? 'age' : 'missing', {
      data: { found },
      at: { side: 'response', header: 'cache-control' },
      expected: 'max-age=<seconds>',
      ...(caching.hasCacheControl ? { actual: found } : {}),
    });
  },
});
