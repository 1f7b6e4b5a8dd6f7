import type { CapturedExchange } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { getCard, rpc, unanswered, v1 } from '../examples/index.ts';
import { secondNs } from '../testing/captured.ts';
import { conversationOf, conversationOfDecoded, decodedOne as decoded } from '../testing/conversation.ts';
import { ageS, freshForS, isConditional, receivedCaching, sentCaching, servedCard } from './card-fetches.ts';

describe('caching fields', () => {
  const responseWith = (responseHeaders: Readonly<Record<string, string | undefined>>) => {
    const { response } = decoded(getCard(v1.card(), { responseHeaders })).captured;
    if (response === undefined) throw new Error('no response');
    return response;
  };
  const fieldsOf = (cacheControl: string) => sentCaching(responseWith({ 'Cache-Control': cacheControl }));

  it('are read without regard to case, order and quotes', () => {
    expect(freshForS(fieldsOf('Private, MAX-AGE="60"'))).toBe(60);
    expect(freshForS(fieldsOf('max-age=0'))).toBe(0);
    expect(freshForS(fieldsOf('max-age=-1'))).toBeUndefined();
    expect(freshForS(fieldsOf('max-age'))).toBeUndefined();
    expect([...fieldsOf('no-cache, , private').directives.keys()]).toEqual(['no-cache', 'private']);
  });

  it('are those of all lines, the first of each name', () => {
    const { directives, hasCacheControl } = sentCaching(
      responseWith({ 'Cache-Control': 'private, max-age = 60', 'cache-control': 'MAX-AGE=7, =8' }),
    );
    expect([...directives]).toEqual([
      ['private', ''],
      ['max-age', '60'],
    ]);
    expect(hasCacheControl).toBe(true);
    expect(sentCaching(responseWith({ 'Cache-Control': undefined })).hasCacheControl).toBe(false);
  });

  it('may be anything', () => {
    expect([...fieldsOf('a="b, c"d", e=f"g", h="i"j').directives.values()]).toEqual([
      ...['"b', '', 'f"g"', '"i"j'],
    ]);
    for (const age of ['60s', 'a60', '12345678901', '""'])
      expect(freshForS(fieldsOf(`max-age=${age}`))).toBeUndefined();
    expect(freshForS(fieldsOf('max-age=1234567890'))).toBe(1_234_567_890);
    expect(freshForS(fieldsOf(`${'x'.repeat(4096)}, max-age=60`))).toBeUndefined();
  });

  it('say how old the response is, and which it is', () => {
    const ageOf = (age: string | undefined) => sentCaching(responseWith({ Age: age })).ageS;
    expect(['17', ' 17 ', '123456789', undefined].map(ageOf)).toEqual([17, 17, 123_456_789, 0]);
    expect(['', 'x1', '1x', '-1', '1234567890'].map(ageOf)).toEqual([0, 0, 0, 0, 0]);
    expect(sentCaching(responseWith({ ETag: ' "1" ', 'Last-Modified': ' yesterday ' }))).toMatchObject({
      etag: '"1"',
      lastModified: 'yesterday',
    });
  });

  it('reached the client as the proxy sent them on', () => {
    const response = responseWith({ 'Cache-Control': 'max-age=60' });
    expect(freshForS(receivedCaching(response))).toBe(60);
    const changed = { ...response, forwardedHeaders: ['Cache-Control', 'max-age=7'] };
    expect([freshForS(receivedCaching(changed)), freshForS(sentCaching(changed))]).toEqual([7, 60]);
  });
});

describe('the cards that agents served', () => {
  it('are kept by URL, each once for the same request, with the latest last', () => {
    const other = v1.card({ version: '1.2.4' });
    const seen = conversationOf(getCard(v1.card()), getCard(other), getCard(v1.card()));
    const served = seen.cardFetches.served(decoded(getCard(v1.card())));
    const contents = [other, v1.card()].map((card) => servedCard(decoded(getCard(card)))?.content);
    expect(served.map(({ content }) => content)).toEqual(contents);
    expect(new Set(contents).size).toBe(2);
    const elsewhere = getCard(v1.card(), { url: 'https://other.example/.well-known/agent-card.json' });
    expect(seen.cardFetches.served(decoded(elsewhere))).toEqual([]);
  });

  it('have the same content whatever the order of their members', () => {
    const reversed = Object.fromEntries(Object.entries(v1.card()).reverse());
    const [first, second] = conversationOf(getCard(v1.card()), getCard(reversed)).cardFetches.served(
      decoded(getCard(v1.card())),
    );
    expect(first?.content).toBe(second?.content);
    expect(first?.bytes).not.toBe(second?.bytes);
  });
});

describe('the cards that callers stored', () => {
  it('are theirs alone, and differ by what was asked for', () => {
    const seen = conversationOf(getCard(v1.card()));
    const stored = (more = {}) => seen.cardFetches.stored(decoded(getCard(v1.card(), more)));
    expect(stored()).toBeDefined();
    expect(stored({ from: 'another client' })).toBeUndefined();
    expect(stored({ headers: { 'A2A-Version': '0.3' } })).toBeUndefined();
    expect(stored({ headers: { Authorization: 'Bearer t-1' } })).toBeUndefined();
  });

  it('are fresh again after a 304, which keeps what it does not say', () => {
    const unchanged = getCard(null, {
      headers: { 'If-None-Match': '"1"' },
      status: 304,
      text: '',
      responseHeaders: { 'Cache-Control': undefined, ETag: '"1"' },
    });
    expect(isConditional(decoded(unchanged))).toBe(true);
    const stored = conversationOf(getCard(v1.card()), unchanged).cardFetches.stored(
      decoded(getCard(v1.card())),
    );
    expect(stored?.exchange.id).toBe('x1');
    expect(stored && freshForS(stored.caching)).toBe(3600);
  });

  it('are not what a failed fetch brought', () => {
    const failed = conversationOf(getCard({ detail: 'Not Found' }, { status: 404 }));
    expect(failed.cardFetches.stored(decoded(getCard(v1.card())))).toBeUndefined();
  });
});

describe('a card that is loaded again', () => {
  type Change = (exchange: CapturedExchange) => CapturedExchange;
  interface Fetch {
    readonly more?: Parameters<typeof getCard>[1];
    readonly cell?: string;
    readonly change?: Change;
  }
  const asked =
    (atNs: number): Change =>
    ({ request, ...exchange }) => ({ ...exchange, request: { ...request, atNs } });
  /** The card comes after a tenth of a second, and may be used for a minute. */
  const first = (more: Parameters<typeof getCard>[1] = {}): Fetch => ({
    more: { ...more, responseHeaders: { 'Cache-Control': 'max-age=60', ...more.responseHeaders } },
  });
  const second = (atNs: number, more: Fetch = {}): Fetch => ({ change: asked(atNs), ...more });
  const fetched = ({ more, cell, change }: Fetch) =>
    decoded(getCard(v1.card(), more), cell === undefined ? {} : { cell }, change);
  const reloads = (...fetches: readonly Fetch[]): boolean =>
    conversationOfDecoded(...fetches.map(fetched)).cardFetches.hasReloaded(fetched({}));

  it('could have been taken from the cache as long as it was fresh', () => {
    expect(reloads(first())).toBe(false);
    expect(reloads(first(), second(secondNs))).toBe(true);
    expect(reloads(first(), second(0.1 * secondNs))).toBe(true);
    expect(reloads(first(), second(60.0 * secondNs))).toBe(true);
    expect(reloads(first(), second(60.1 * secondNs))).toBe(false);
    expect(reloads(first({ responseHeaders: { Age: '50' } }), second(10 * secondNs))).toBe(true);
    expect(reloads(first({ responseHeaders: { Age: '50' } }), second(10.1 * secondNs))).toBe(false);
    expect(reloads(first({ responseHeaders: { 'Cache-Control': 'private' } }), second(secondNs))).toBe(false);
  });

  it('had to have come before the other request went out', () => {
    expect(reloads(first(), second(0.05 * secondNs))).toBe(false);
  });

  it('may be asked about, and loaded by others and in other cells', () => {
    expect(reloads(first(), second(secondNs, { more: { headers: { 'If-None-Match': '"1"' } } }))).toBe(false);
    expect(reloads(first(), second(secondNs, { more: { from: 'another client' } }))).toBe(false);
    expect(reloads(first(), second(secondNs, { cell: 'another' }))).toBe(false);
    expect(reloads({ ...first(), cell: 'one' }, second(secondNs, { cell: 'one' }))).toBe(true);
  });

  it('proves nothing where times are made up', () => {
    const untimed: Change = (exchange) => ({ ...asked(secondNs + 1)(exchange), timesSynthetic: true });
    expect(reloads(first(), { change: untimed })).toBe(false);
    expect(reloads(first(), { change: asked(secondNs + 1) })).toBe(true);
    const given: Change = (exchange) => ({ ...asked(secondNs)(exchange), timesSynthetic: true });
    expect(reloads(first(), { change: given })).toBe(true);
    const before: Change = (exchange) => ({ ...asked(7)(exchange), timesSynthetic: true });
    expect(reloads({ ...first(), change: before }, second(secondNs))).toBe(false);
  });

  it('has the age of its answer, and of the time since', () => {
    const stored = conversationOfDecoded(
      fetched(first({ responseHeaders: { Age: '5' } })),
    ).cardFetches.stored(fetched({}));
    if (stored === undefined) throw new Error('nothing stored');
    expect(ageS(stored, fetched(second(2.1 * secondNs)))).toBe(7);
    expect(ageS(stored, fetched(second(0.1 * secondNs)))).toBe(5);
    expect(ageS(stored, fetched(second(0)))).toBe(-1);
  });
});

it('tells what an agent served its card without, by path', () => {
  const { cardFetches } = conversationOf(
    getCard(v1.card(), { responseHeaders: { ETag: undefined } }),
    getCard(null, { text: '<html>', to: 'another agent', responseHeaders: { ETag: undefined } }),
  );
  const elsewhere = getCard(v1.card(), { url: 'https://agent.example/.well-known/agent.json' });
  expect(cardFetches.hasLacked(decoded(getCard(v1.card())), 'etag')).toBe(true);
  expect(cardFetches.hasLacked(decoded(getCard(v1.card())), 'cache-control')).toBe(false);
  expect(cardFetches.hasLacked(decoded(elsewhere), 'etag')).toBe(false);
  expect(cardFetches.hasLacked(decoded(getCard(v1.card(), { to: 'another agent' })), 'etag')).toBe(false);
});

it('asks for changes only where it says which card it has, or since when', () => {
  const isConditionalWith = (headers: Record<string, string>) =>
    isConditional(decoded(getCard(v1.card(), { headers })));
  expect(isConditionalWith({})).toBe(false);
  expect(isConditionalWith({ 'If-None-Match': '"1"' })).toBe(true);
  expect(isConditionalWith({ 'If-Modified-Since': 'yesterday' })).toBe(true);
});

it('sees no card where none was served', () => {
  const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
  for (const other of [get, unanswered(getCard(v1.card())), getCard({}, { status: 404 })])
    expect(servedCard(decoded(other))).toBeUndefined();
});

describe('what is kept of the cards of agents', () => {
  const url = (i: number) => `https://agent.example/${i}/.well-known/agent-card.json`;
  const bare = (i: number, card = v1.card()) =>
    getCard(card, { url: url(i), responseHeaders: { ETag: undefined } });

  it('is of so many URLs, the first ones', () => {
    const later = v1.card({ version: '1.2.4' });
    const { cardFetches } = conversationOf(
      ...Array.from({ length: 1025 }, (_, i) => bare(i)),
      ...[bare(0, later), bare(1024, later)],
    );
    const known = (i: number) => {
      const fetch = decoded(bare(i));
      const stored = cardFetches.stored(fetch)?.exchange.id;
      return [cardFetches.served(fetch).length, stored, cardFetches.hasLacked(fetch, 'etag')];
    };
    expect(known(0)).toEqual([2, 'x1025', true]);
    expect(known(1023)).toEqual([1, 'x1023', true]);
    expect(known(1024)).toEqual([0, undefined, false]);
  });

  it('is of so many answers for each URL, the last ones', () => {
    const served = (count: number) => {
      const cards = Array.from({ length: count }, (_, i) => getCard(v1.card({ version: `1.${i}` })));
      return conversationOf(...cards).cardFetches.served(decoded(getCard(v1.card())));
    };
    const [first] = served(32);
    expect(served(32)).toHaveLength(32);
    expect(served(33)).toHaveLength(32);
    expect(served(33)[0]?.content).toBe(served(2)[1]?.content);
    expect(first?.content).toBe(served(1)[0]?.content);
  });

  it('tells apart what was asked for, and what the answer is called', () => {
    const served = (...more: readonly Parameters<typeof getCard>[1][]) =>
      conversationOf(...more.map((each) => getCard(v1.card(), each))).cardFetches.served(
        decoded(getCard(v1.card())),
      ).length;
    expect(served({}, {})).toBe(1);
    expect(served({}, { responseHeaders: { ETag: '"other"' } })).toBe(2);
    expect(served({}, { headers: { 'A2A-Version': '0.3' } })).toBe(2);
    expect(served({}, { headers: { Authorization: 'Bearer t-1' } })).toBe(2);
  });

  it('is found by the host that the request names, in whatever case', () => {
    const named =
      (...headers: readonly string[]) =>
      ({ request, ...exchange }: CapturedExchange): CapturedExchange => ({
        ...exchange,
        request: { ...request, headers },
      });
    const fetch = (...headers: readonly string[]) => decoded(getCard(v1.card()), {}, named(...headers));
    const served = (stored: ReturnType<typeof fetch>, asked: ReturnType<typeof fetch>) =>
      conversationOfDecoded(stored).cardFetches.served(asked).length;
    expect(served(fetch('Host', 'Agent.Example'), fetch('Host', 'agent.example'))).toBe(1);
    expect(served(fetch(':authority', 'agent.example'), fetch('Host', 'agent.example'))).toBe(1);
    expect(served(fetch(':authority', 'agent.example'), fetch(':authority', 'other.example'))).toBe(0);
    expect(served(fetch(), fetch())).toBe(1);
  });

  it('is nothing of an answer that says it is unchanged where there was none before', () => {
    const unchanged = getCard(null, { status: 304, text: '' });
    const { cardFetches } = conversationOf(unchanged, unanswered(getCard(v1.card())));
    expect(cardFetches.stored(decoded(getCard(v1.card())))).toBeUndefined();
    const redirected = conversationOf(getCard(v1.card()), getCard(null, { status: 302, text: '' }));
    expect(redirected.cardFetches.stored(decoded(getCard(v1.card())))?.exchange.id).toBe('x0');
  });

  it('has the age and the fields that a 304 brings', () => {
    const stored = (responseHeaders: Readonly<Record<string, string | undefined>>) =>
      conversationOf(
        getCard(v1.card(), { responseHeaders: { 'Cache-Control': 'max-age=60', Age: '7' } }),
        getCard(null, { status: 304, text: '', responseHeaders }),
      ).cardFetches.stored(decoded(getCard(v1.card())));
    const silent = stored({ 'Cache-Control': undefined, Age: '3' });
    expect([silent && freshForS(silent.caching), silent?.caching.ageS]).toEqual([60, 3]);
    const changed = stored({ 'Cache-Control': 'max-age=5' });
    expect([changed && freshForS(changed.caching), changed?.caching.ageS]).toEqual([5, 0]);
    expect(changed?.atNs).toBe(1.1 * secondNs);
  });
});
