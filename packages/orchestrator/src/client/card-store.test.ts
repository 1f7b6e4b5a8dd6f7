import { expect, test } from 'vitest';
import { CardStore } from './card-store.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';

/** An origin of one card, and what it was asked for. */
function origin(headers: Record<string, string>, more: Partial<HttpAnswer> = {}) {
  let nowMs = 0;
  const asked: HttpRequest['headers'][] = [];
  const store = new CardStore(() => nowMs);
  const fetch = async (wanted: HttpRequest): Promise<HttpAnswer> => {
    asked.push(wanted.headers);
    const unchanged = headers.etag !== undefined && wanted.headers['if-none-match'] === headers.etag;
    const text = unchanged ? '' : `card ${asked.length}`;
    return { status: unchanged ? 304 : 200, headers, contentType: '', text, cut: false, ...more };
  };
  const get = async (url = 'http://tap/card', own = {}) => {
    const { text } = await store.get({ method: 'GET', url, headers: own }, fetch);
    return text;
  };
  return { get, asked, pass: (ms: number) => (nowMs += ms) };
}

test('a card that is fresh is not fetched again', async () => {
  const { get, asked, pass } = origin({ 'cache-control': 'public, max-age=60', age: '10' });
  expect([await get(), await get()]).toEqual(['card 1', 'card 1']);
  pass(49_999);
  expect(await get()).toBe('card 1');
  pass(1);
  expect(await get()).toBe('card 2');
  expect(asked).toEqual([{}, {}]);
});

test('for one that is not fresh it is asked whether it has changed', async () => {
  const { get, asked, pass } = origin({
    'cache-control': 'max-age=60',
    etag: '"1"',
    'last-modified': 'then',
  });
  await get();
  pass(60_000);
  expect(await get()).toBe('card 1');
  expect(asked[1]).toEqual({ 'if-none-match': '"1"', 'if-modified-since': 'then' });
  // What the 304 said counts from then on.
  pass(59_999);
  await get();
  expect(asked).toHaveLength(2);
});

test.each([
  [{}, [{}, {}]],
  [{ etag: '"1"' }, [{}, { 'if-none-match': '"1"' }]],
  [{ etag: '"1"', 'cache-control': 'no-cache, max-age=60' }, [{}, { 'if-none-match': '"1"' }]],
  [{ etag: '"1"', 'cache-control': 'no-store' }, [{}, {}]],
  [{ 'cache-control': 'max-age=soon' }, [{}, {}]],
])('with %j a second fetch goes out', async (headers, asked) => {
  const card = origin(headers);
  await card.get();
  await card.get();
  expect(card.asked).toEqual(asked);
});

test('another tap, or another caller, has another card, and an error is none', async () => {
  const card = origin({ 'cache-control': 'max-age=60' });
  expect([await card.get('http://a/'), await card.get('http://b/')]).toEqual(['card 1', 'card 2']);
  expect(await card.get('http://a/', { authorization: 'x' })).toBe('card 3');
  const broken = origin({ 'cache-control': 'max-age=60' }, { status: 503 });
  await broken.get();
  await broken.get();
  expect(broken.asked).toHaveLength(2);
});
