import type { DecodedExchange } from '@plugfest/a2a';
import { expect, it } from 'vitest';
import { getCard, rpc, v1 } from '../examples/index.ts';
import { conversationOfDecoded, decodedOne } from '../testing/conversation.ts';
import { Gaps } from './gaps.ts';

it('knows the moments of losses in whatever order they become known', () => {
  const gaps = new Gaps([{ atNs: 30 }]);
  for (const atNs of [50, 10, 20, 30, 50, 40]) gaps.add(atNs);
  for (const atNs of [10, 20, 30, 40, 50]) {
    expect(gaps.between(atNs, atNs)).toBe(true);
    expect(gaps.between(atNs + 1, atNs + 9)).toBe(false);
  }
  expect(gaps.between(0, 9)).toBe(false);
  expect(gaps.between(51, Number.POSITIVE_INFINITY)).toBe(false);
});

it('takes an exchange that could not be read for a loss from its request to its end', () => {
  const cut = decodedOne(
    rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }),
    {},
    ({ request, ...exchange }) => ({
      ...exchange,
      request: { ...request, atNs: 100, body: { ...request.body, storedBytes: 5, chunks: [] } },
      end: { kind: 'complete', atNs: 200 },
    }),
  );
  const conversation = conversationOfDecoded(cut);
  expect(conversation.gapBetween(100, 100)).toBe(true);
  expect(conversation.gapBetween(200, 200)).toBe(true);
  expect(conversation.gapBetween(101, 199)).toBe(false);
  expect(conversation.observedUntilNs).toBe(200);
});

it('misses a card that could not be read until it is fetched again', () => {
  const fetch = (readable: boolean, from = 'client') =>
    decodedOne(getCard(v1.card(), { from }), {}, (exchange) => {
      const { response } = exchange;
      if (readable || response === undefined) return exchange;
      return {
        ...exchange,
        response: { ...response, body: { ...response.body, storedBytes: 5, chunks: [] } },
      };
    });
  const missed = (...fetches: readonly DecodedExchange[]) =>
    conversationOfDecoded(...fetches).missesCard('agent');
  expect(missed(fetch(true))).toBe(false);
  expect(missed(fetch(false))).toBe(true);
  expect(missed(fetch(false), fetch(true))).toBe(false);
  expect(missed(fetch(false), fetch(true, 'another client'))).toBe(true);
  expect(missed(fetch(false), fetch(false, 'another client'), fetch(true))).toBe(true);
  expect(missed(fetch(false), fetch(false, 'another client'), fetch(true, 'another client'))).toBe(true);
  expect(conversationOfDecoded(fetch(false)).missesCard('another agent')).toBe(false);
});
