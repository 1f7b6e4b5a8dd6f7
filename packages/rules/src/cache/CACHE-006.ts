import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule, freshForS, isConditional } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { refetch } from './card-responses.ts';

const at = (time: string, more = {}, card = v1.card()) => ({
  ...getCard(card, more),
  at: `2026-01-01T${time}.000Z`,
});
const seconds = (age: number) => ({ responseHeaders: { 'Cache-Control': `max-age=${age}` } });
const conditional = (age: number) => ({
  ...seconds(age),
  headers: { 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
});

export default defineRule({
  id: 'CACHE-006',
  level: 'SHOULD',
  party: 'client',
  summary: 'A client does not fetch a card again as long as the one it has is fresh.',
  spec: { '1.0': '8.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  about: ['card'],
  messages: {
    fresh: 'The client fetches the card again after {age} s, though it may be used for {maxAge} s',
  },
  why: 'A fetch before each call doubles the traffic, and brings down small agents that many clients use.',
  fix: 'Keep the card for as long as its `max-age` says, or ask by `If-None-Match` whether it has changed.',
  examples: {
    good: [[at('00:00:00', seconds(60)), at('00:01:30', conditional(60))]],
    skip: [
      [at('00:00:00')],
      [getCard(v1.card()), getCard(v1.card())],
      [at('00:00:00', {}, v03.card()), at('00:00:10', {}, v03.card())],
      [at('00:00:00'), at('00:00:10', { from: 'another client' })],
      [at('00:00:00'), at('00:00:10', { headers: { 'Cache-Control': 'no-cache' } })],
      [at('00:00:00'), at('00:00:10', conditional(3600))],
      [at('00:00:00'), at('00:00:10', { headers: { Pragma: 'no-cache' } })],
      // Nothing says how long it may be used, or that it may be.
      ...['max-age=0', 'private', 'max-age=3600, no-cache', 'max-age=3600, no-store'].map((control) => {
        const more = { responseHeaders: { 'Cache-Control': control } };
        return [at('00:00:00', more), at('00:00:10', more)];
      }),
    ],
    bad: [
      { example: [at('00:00:00'), at('00:00:10')], messages: ['fresh'] },
      { example: [at('00:00:00'), at('00:00:10'), at('00:00:20')], messages: ['fresh'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const found = reuse(exchange, conversation);
    if (typeof found !== 'object') return found ?? false;
    // Asking whether a fresh card still holds is allowed, and costs little.
    return found.ageS >= found.maxAgeS || !isConditional(exchange);
  },
  check: (exchange, { conversation, report }) => {
    const found = reuse(exchange, conversation);
    // Who does it once does it always: one finding for each client and agent says all.
    if (typeof found !== 'object' || conversation.cardFetches.hasReloaded(exchange)) return;
    if (found.ageS >= found.maxAgeS) return;
    const data = { age: Math.floor(found.ageS), maxAge: found.maxAgeS };
    report('fresh', { data, at: { side: 'request' }, expected: 'the stored card' });
  },
});

interface Reuse {
  readonly ageS: number;
  readonly maxAgeS: number;
}

/** The card that a client could have gone on with, and for how long; undefined where it had to ask in any case. */
function reuse(exchange: DecodedExchange, conversation: Conversation): Reuse | 'undecidable' | undefined {
  const found = refetch(exchange, conversation);
  if (typeof found !== 'object') return found;
  const { caching } = found.stored;
  const maxAgeS = freshForS(caching);
  return !maxAgeS || caching.directives.has('no-cache') ? undefined : { ageS: found.ageS, maxAgeS };
}
