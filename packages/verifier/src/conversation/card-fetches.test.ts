import { decodeExchange } from '@plugfest/a2a';
import { describe, expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import type { HttpExampleExchange } from '../examples/example.ts';
import { getCard, rest, rpc, v1 } from '../examples/index.ts';
import { captured } from '../testing/captured.ts';
import { freshForS, isConditional, sentCaching, servedCard } from './card-fetches.ts';

function conversationOf(...exchanges: readonly HttpExampleExchange[]): Conversation {
  const conversation = new Conversation();
  for (const exchange of captured(exchanges)) conversation.add(decodeExchange(exchange));
  return conversation;
}

const decoded = (exchange: HttpExampleExchange) => {
  const [first] = captured([exchange]);
  if (first === undefined) throw new Error('nothing captured');
  return decodeExchange(first);
};

describe('caching fields', () => {
  const fieldsOf = (cacheControl: string) => {
    const { response } = decoded(
      getCard(v1.card(), { responseHeaders: { 'Cache-Control': cacheControl } }),
    ).captured;
    if (response === undefined) throw new Error('no response');
    return sentCaching(response);
  };

  it('are read without regard to case, order and quotes', () => {
    expect(freshForS(fieldsOf('Private, MAX-AGE="60"'))).toBe(60);
    expect(freshForS(fieldsOf('max-age=0'))).toBe(0);
    expect(freshForS(fieldsOf('max-age=-1'))).toBeUndefined();
    expect(freshForS(fieldsOf('max-age'))).toBeUndefined();
    expect([...fieldsOf('no-cache, , private').directives.keys()]).toEqual(['no-cache', 'private']);
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

describe('tenants of tasks', () => {
  const send = (tenant: string | undefined) =>
    rpc({
      method: 'SendMessage',
      params: { ...(tenant === undefined ? {} : { tenant }), message: v1.message('hello') },
      result: { task: v1.task('COMPLETED') },
    });

  it('are those of the request that first showed the task', () => {
    const again = rest({ verb: 'GET', path: '/tasks/task-1?tenant=globex', response: v1.task('COMPLETED') });
    const seen = conversationOf(send('acme'), again);
    expect(seen.tenantOf('agent', 'task-1')).toBe('acme');
    expect(seen.tenantOf('agent', 'task-2')).toBeUndefined();
    expect(seen.tenantOf('another agent', 'task-1')).toBeUndefined();
    expect(conversationOf(send(undefined), send('')).tenantOf('agent', 'task-1')).toBeUndefined();
  });
});

describe('what callers can do', () => {
  it('shows by what they did, in their cell', () => {
    const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
    const call = decoded(get);
    expect(conversationOf().habits.isFirstCall(call)).toBe(true);
    const seen = conversationOf(get);
    expect(seen.habits.isFirstCall(call)).toBe(false);
    expect(seen.habits.isFirstCall(decoded({ ...get, to: 'another agent' }))).toBe(true);
    expect(seen.habits.speaks(call, 'JSONRPC', '1.0')).toBe(true);
    expect(seen.habits.speaks(call, 'HTTP+JSON', '1.0')).toBe(false);
    expect(seen.habits.speaks(decoded({ ...get, from: 'another client' }), 'JSONRPC', '1.0')).toBe(false);
  });
});

describe('key sets', () => {
  const fetch = (
    url: string,
    keys: readonly { readonly kty: string; readonly kid: string }[],
    more = {},
  ) => ({
    from: 'client',
    to: 'agent',
    request: { method: 'GET', url, headers: {} },
    response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: { keys } },
    ...more,
  });
  const jku = 'https://keys.example/jwks.json';
  const key = { kty: 'EC', kid: 'key-1' };

  it('are found by the URL that a signature names, and then their keys are certain', () => {
    const { keys } = conversationOf(fetch(jku, [key]));
    expect(keys.at(jku)).toMatchObject([{ keys: [key] }]);
    expect(keys.at('https://keys.example/other.json')).toEqual([]);
    expect(keys.for('another agent', 'key-1', jku)).toMatchObject([{ certain: true }]);
    expect(keys.for('agent', 'key-2', jku)).toEqual([]);
    expect(keys.for('agent', undefined, jku)).toEqual([]);
  });

  it('of the agent itself count without being named, but are not certain', () => {
    const { keys } = conversationOf(fetch('http://agent.example/.well-known/jwks.json', [key]));
    expect(keys.for('agent', 'key-1', undefined)).toMatchObject([{ certain: false }]);
    expect(keys.for('another agent', 'key-1', undefined)).toEqual([]);
    expect(keys.at('http://agent.example/.well-known/jwks.json')).toHaveLength(1);
  });

  it('are not made of failed fetches and other documents', () => {
    const { keys } = conversationOf(
      fetch(jku, [key], { response: { status: 404, headers: {}, body: { keys: [key] } } }),
      fetch(jku, [], { response: { status: 200, headers: {}, body: { keys: 7 } } }),
    );
    expect(keys.at(jku)).toEqual([]);
  });
});
