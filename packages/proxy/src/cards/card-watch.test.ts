import { exchangeId } from '@plugfest/model';
import { expect, it } from 'vitest';
import { HeldBytes } from '../rewriting/held-bytes.ts';
import { MemorySink } from '../testing/memory-sink.ts';
import { CardWatch, type WatchedCard } from './card-watch.ts';

const path = '/.well-known/agent-card.json';

function watching(room: number) {
  const sink = new MemorySink();
  const heldBytes = new HeldBytes(room);
  const options = { sink, callee: 'bob', keys: [], maxCardBytes: 100, cardPaths: () => undefined };
  const watch = new CardWatch({ ...options, heldBytes });
  const begin = (id: string): WatchedCard => {
    const card = watch.begin(exchangeId(id), 'GET', path, 200, []);
    if (card === undefined) throw new Error('a card is not taken for one');
    return card;
  };
  /** Whether all of the room is there again. */
  const isFree = (): boolean => {
    const free = heldBytes.take(room);
    if (free) heldBytes.give(room);
    return free;
  };
  const notes = () => sink.of('note').map(({ topic, exchange }) => [topic, exchange]);
  return { watch, begin, isFree, notes };
}

it('gives a card up, with a note, where there is no room for it beside others', async () => {
  const { watch, begin, isFree, notes } = watching(150);
  const [first, second] = [begin('x1'), begin('x2')];
  expect(watch.more(first, Buffer.alloc(90, ' '))).toBe(true);
  expect(watch.more(second, Buffer.alloc(60, ' '))).toBe(true);
  expect(watch.more(second, Buffer.from('{}'))).toBe(false);
  expect(notes()).toEqual([['card-not-checked', 'x2']]);
  // What it had is free again for others.
  expect(watch.more(begin('x3'), Buffer.alloc(60, ' '))).toBe(true);
  expect(isFree()).toBe(false);
});

it('gives a card up that is larger than any that is looked at', () => {
  const { watch, begin, isFree, notes } = watching(1000);
  expect(watch.more(begin('x1'), Buffer.alloc(101, ' '))).toBe(false);
  expect(notes()).toEqual([['card-not-checked', 'x1']]);
  expect(isFree()).toBe(true);
});

it('keeps nothing of a card that came whole, nor of one whose client left', async () => {
  const { watch, begin, isFree } = watching(150);
  const [whole, cut] = [begin('x1'), begin('x2')];
  watch.more(whole, Buffer.from('{"name":'));
  watch.more(cut, Buffer.from('{"name":'));
  watch.leave(cut);
  await watch.end(whole);
  watch.leave(whole);
  expect(isFree()).toBe(true);
});
