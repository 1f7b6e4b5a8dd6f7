import { readJwkSet } from '@plugfest/a2a';
import { describe, expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import { rest, v1 } from '../examples/index.ts';
import { conversationOf, conversationOfDecoded, decoded, decodedOne } from '../testing/conversation.ts';

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

  const setsAt = (...exchanges: ReturnType<typeof decodedOne>[]) => conversationOfDecoded(...exchanges).keys;

  it('are made of answers to a GET only', () => {
    const posted = fetch(jku, [key], { request: { method: 'POST', url: jku, headers: {} } });
    expect(conversationOf(posted).keys.at(jku)).toEqual([]);
    const { response: _, ...unanswered } = fetch(jku, [key], {});
    expect(conversationOf(unanswered).keys.at(jku)).toEqual([]);
  });

  it('are no cards and no answers of operations', () => {
    const url = 'https://agent.example/.well-known/agent-card.json';
    const card = fetch(url, [], { response: { status: 200, headers: {}, body: v1.card({ keys: [key] }) } });
    const task = rest({
      verb: 'GET',
      path: '/tasks/task-1',
      response: { ...v1.task('WORKING'), keys: [key] },
    });
    const { keys } = conversationOf(card, task);
    expect([keys.at(url), keys.at('https://agent.example/rest/tasks/task-1')]).toEqual([[], []]);
  });

  it('lie where the request says, and where the proxy sent it on', () => {
    const at = (target: string, headers: readonly string[], upstream?: string) =>
      setsAt(
        decodedOne(fetch(jku, [key]), {}, ({ edge, request, ...exchange }) => ({
          ...exchange,
          edge: { ...edge, ...(upstream === undefined ? {} : { upstream }) },
          request: { ...request, target, headers },
        })),
      );
    const path = '/jwks.json?set=1';
    const places = (keys: ReturnType<typeof at>) =>
      ['proxy.example', 'keys.example'].map((host) => keys.at(`https://${host}${path}`).length);
    expect(places(at(path, ['Host', 'proxy.example']))).toEqual([1, 0]);
    expect(places(at(path, [':authority', 'proxy.example']))).toEqual([1, 0]);
    expect(places(at(path, ['Host', 'proxy.example'], 'http://keys.example/base'))).toEqual([1, 1]);
    expect(places(at(path, [], 'http://keys.example'))).toEqual([0, 1]);
    expect(places(at(path, [], 'no URL'))).toEqual([0, 0]);
    expect(places(at(`http://keys.example${path}`, ['Host', 'proxy.example']))).toEqual([0, 1]);
    expect(at(path, []).at('no URL')).toEqual([]);
    expect(at(path, ['Host', 'proxy.example']).at(undefined)).toEqual([]);
    expect(at(path, ['Host', 'proxy.example']).at('https://proxy.example/jwks.json')).toEqual([]);
  });

  it('came over TLS or not, where the capture says so', () => {
    const secure = (target: string, upstream?: string) => {
      const exchange = decodedOne(fetch(jku, [key]), {}, ({ edge, request, ...rest }) => ({
        ...rest,
        edge: { ...edge, ...(upstream === undefined ? {} : { upstream }) },
        request: { ...request, target },
      }));
      const url = target.startsWith('/') ? `https://keys.example${target}` : target;
      return setsAt(exchange).at(url)[0]?.secure;
    };
    expect(secure('/jwks.json')).toBeUndefined();
    expect(secure('/jwks.json', 'https://keys.example')).toBe(true);
    expect(secure('/jwks.json', 'http://keys.example')).toBe(false);
    expect(secure('https://keys.example/jwks.json', 'http://keys.example')).toBe(true);
    expect(secure('http://keys.example/jwks.json', 'https://keys.example')).toBe(false);
  });

  it('that were given and those at the named URL are certain, before those of the agent itself', () => {
    const given = { kty: 'EC', kid: 'key-1', use: 'given' };
    const conversation = new Conversation([], readJwkSet({ keys: [given, { kty: 'EC', kid: 'key-2' }] }));
    const own = { kty: 'EC', kid: 'key-1', use: 'own' };
    const named = { kty: 'EC', kid: 'key-1', use: 'named' };
    for (const exchange of decoded(fetch('https://agent.example/own.json', [own]), fetch(jku, [named])))
      conversation.add(exchange);
    const found = (agent: string, url?: string) =>
      conversation.keys.for(agent, 'key-1', url).map(({ key: { use }, certain }) => [use, certain]);
    expect(found('agent', jku)).toEqual([
      ['given', true],
      ['named', true],
      ['own', false],
    ]);
    expect(found('agent')).toEqual([
      ['given', true],
      ['own', false],
      ['named', false],
    ]);
    expect(found('another agent')).toEqual([['given', true]]);
    expect(conversation.keys.for('agent', undefined, jku)).toEqual([]);
  });

  it('are kept up to a bound', () => {
    const urls = Array.from({ length: 65 }, (_, i) => `https://keys.example/${i}.json`);
    const { keys } = conversationOf(...urls.map((url) => fetch(url, [key])));
    expect(urls.map((url) => keys.at(url).length)).toEqual([...Array.from({ length: 64 }, () => 1), 0]);
  });
});
