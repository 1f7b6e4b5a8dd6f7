import { describe, expect, it } from 'vitest';
import { getCard, v1 } from '../examples/index.ts';
import { conversationOf, decodedOne } from '../testing/conversation.ts';

const signature = (name: string) => ({ protected: 'eyJhbGciOiJFUzI1NiJ9', signature: name });
const signed = (names: readonly string[], more = {}) =>
  v1.card({ signatures: names.map(signature), ...more });

function viewOf(card: ReturnType<typeof signed>) {
  const found = decodedOne(getCard(card)).payloads.find(({ kind }) => kind === 'card');
  if (found?.kind !== 'card') throw new Error('no card');
  return found.card;
}

/** The hops on which the signatures of a card were seen. */
const seen = (card: ReturnType<typeof signed>, ...fetches: readonly ReturnType<typeof getCard>[]) =>
  conversationOf(...fetches)
    .signedCards.of(viewOf(card))
    .map(({ exchange }) => exchange.id);

describe('the sightings of a signature', () => {
  it('are one for each hop and content', () => {
    const card = signed(['a']);
    expect(seen(card, getCard(card), getCard(card))).toEqual(['x0']);
    expect(seen(card, getCard(card), getCard(card, { from: 'b' }))).toEqual(['x0', 'x1']);
    expect(seen(card, getCard(card), getCard(card, { to: 'b' }))).toEqual(['x0', 'x1']);
    const forged = signed(['a'], { name: 'Other' });
    expect(seen(card, getCard(card), getCard(forged), getCard(card), getCard(forged))).toEqual(['x0', 'x1']);
  });

  it('have a digest of what was signed, without the signatures', () => {
    const { signedCards } = conversationOf(
      getCard(signed(['a'])),
      getCard(signed(['a', 'b']), { from: 'c' }),
    );
    const [first, second] = signedCards.of(viewOf(signed(['a'])));
    expect(first?.payload).toMatch(/^[0-9a-f]{16}$/);
    expect(second?.payload).toBe(first?.payload);
  });

  it('are those of each signature of a card', () => {
    const [one, both] = [signed(['a']), signed(['a', 'b'])];
    expect(seen(both, getCard(one))).toEqual(['x0']);
    expect(seen(both, getCard(both))).toEqual(['x0', 'x0']);
    expect(seen(signed(['c']), getCard(both))).toEqual([]);
    expect(seen(v1.card(), getCard(v1.card()))).toEqual([]);
  });

  it('are none of what is no signature', () => {
    for (const signatures of [
      [{ signature: 'a' }],
      [{ protected: 'eyJhbGciOiJFUzI1NiJ9' }],
      [7],
      'a',
      [{}],
    ]) {
      const card = v1.card({ signatures });
      expect(seen(card, getCard(card))).toEqual([]);
    }
    const differing = v1.card({ signatures: [{ protected: 'eyJhbGciOiJSUzI1NiJ9', signature: 'a' }] });
    expect(seen(differing, getCard(signed(['a'])))).toEqual([]);
  });

  it('are the first eight', () => {
    const card = signed(['a']);
    const fetches = Array.from({ length: 9 }, (_, i) => getCard(card, { from: `client ${i}` }));
    expect(seen(card, ...fetches)).toEqual(Array.from({ length: 8 }, (_, i) => `x${i}`));
  });
});

it('remembers a bounded number of signatures, the first ones', () => {
  const names = Array.from({ length: 1024 }, (_, i) => `s-${i}`);
  const many = Array.from({ length: 64 }, (_, i) => getCard(signed(names.slice(i * 16, i * 16 + 16))));
  const more = [getCard(signed(['late'])), getCard(signed(['s-0']), { from: 'b' })];
  expect(seen(signed(['s-1023']), ...many, ...more)).toHaveLength(1);
  expect(seen(signed(['late']), ...many, ...more)).toEqual([]);
  expect(seen(signed(['s-0']), ...many, ...more)).toEqual(['x0', 'x65']);
});
