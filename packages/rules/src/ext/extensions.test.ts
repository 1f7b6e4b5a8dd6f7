import type { DecodedExchange } from '@plugfest/a2a';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { expect, it } from 'vitest';
import { requiredBy } from './extensions.ts';

const exchange = { captured: { edge: { callee: 'agent' } } } as DecodedExchange;

/** A card that requires these extensions; `onRead` hears of each time that its declarations are gone through. */
function sighting(uris: readonly string[], onRead = (): void => {}): CardSighting {
  const value = {
    get capabilities() {
      onRead();
      return { extensions: uris.map((uri) => ({ uri, required: true })) };
    },
  };
  const card = { version: '1.0', value, interfaces: [], legacyInterfaces: [] };
  return { caller: `client of ${uris.join()}`, path: '/', card, extended: false } as unknown as CardSighting;
}

const seen = (...cards: readonly CardSighting[]) =>
  ({ missesCard: () => false, cards: () => cards }) as Partial<Conversation> as Conversation;

it('takes an extension for required where every card says so', () => {
  expect(requiredBy(exchange, seen(sighting(['urn:a', 'urn:b']), sighting(['urn:b'])))).toEqual(['urn:b']);
  expect(requiredBy(exchange, seen())).toEqual([]);
});

it('goes through a card once, however many extensions it has and calls are made', () => {
  let reads = 0;
  const uris = Array.from({ length: 100 }, (_, index) => `urn:${index}`);
  const conversation = seen(sighting(uris, () => reads++));
  for (let call = 0; call < 3; call += 1) expect(requiredBy(exchange, conversation)).toEqual(uris);
  expect(reads).toBe(1);
});
