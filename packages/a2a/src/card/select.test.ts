import type { JsonObject } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { cardUrls, parseCard, selectInterface } from './select.ts';

const modern: JsonObject = {
  name: 'Echo',
  version: '1.0.0',
  supportedInterfaces: [
    { url: '', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'http://a/custom', protocolBinding: 'https://example.com/ws', protocolVersion: '1.0' },
    { url: 'http://a/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0.1', tenant: 'x' },
    { url: 'http://a/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'http://a/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  ],
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
  skills: [],
};

const legacy: JsonObject = {
  name: 'Echo',
  protocolVersion: '0.3.0',
  url: 'http://a/rpc',
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [
    { url: 'a:50051', transport: 'GRPC' },
    7,
    { url: 'http://a/rest', transport: 'HTTP+JSON' },
  ],
  capabilities: { streaming: true },
  supportsAuthenticatedExtendedCard: true,
  skills: [],
};

const urlOf = (card: JsonObject, wish: Parameters<typeof selectInterface>[1]): string | undefined => {
  const parsed = parseCard(card);
  return parsed.card && selectInterface(parsed.card, wish)?.url;
};

describe('parseCard', () => {
  it('views a 1.0 card', () => {
    expect(parseCard(JSON.stringify(modern))).toMatchObject({
      problems: [],
      card: {
        version: '1.0',
        name: 'Echo',
        streaming: true,
        pushNotifications: false,
        extendedCard: true,
        extended: false,
        legacyInterfaces: [],
      },
    });
    expect(parseCard(modern).card?.interfaces[2]).toEqual({
      url: 'http://a/rest',
      binding: 'HTTP+JSON',
      rawBinding: 'HTTP+JSON',
      version: '1.0',
      rawVersion: '1.0.1',
      tenant: 'x',
      pointer: '/supportedInterfaces/2',
    });
  });

  it('views a 0.3 card', () => {
    const { card } = parseCard(legacy);
    expect(card).toMatchObject({ version: '0.3', extendedCard: true });
    expect(card?.interfaces.map(({ url, binding, pointer }) => [url, binding, pointer])).toEqual([
      ['http://a/rpc', 'JSONRPC', ''],
      ['a:50051', 'GRPC', '/additionalInterfaces/0'],
      ['http://a/rest', 'HTTP+JSON', '/additionalInterfaces/2'],
    ]);
  });

  it('keeps the older members of a superset card apart', () => {
    const { card } = parseCard({ ...legacy, ...modern });
    expect(card?.version).toBe('1.0');
    expect(card?.interfaces).toHaveLength(5);
    expect(card?.legacyInterfaces.map(({ version }) => version)).toEqual(['0.3', '0.3', '0.3']);
  });

  it.each([
    ['<html>', /no JSON/],
    ['[]', /no JSON object/],
    ['{"hello":1}', /no agent card/],
    ['{"supportedInterfaces":[]}', /no interface/],
    ['{"supportedInterfaces":null,"name":7,"capabilities":3}', /no interface/],
  ])('says what is wrong with %s', (text, problem) => {
    expect(parseCard(text).problems[0]).toMatch(problem);
  });
});

describe('selectInterface', () => {
  it('takes the first that fits, in the order of the card, and none without a URL', () => {
    expect(urlOf(modern, {})).toBe('http://a/rest');
    expect(urlOf(modern, { binding: 'JSONRPC' })).toBe('http://a/rpc');
    expect(urlOf(modern, { version: '0.3' })).toBe('http://a/old');
    expect(urlOf(modern, { binding: 'GRPC' })).toBeUndefined();
    expect(urlOf(legacy, { binding: 'HTTP+JSON', version: '0.3' })).toBe('http://a/rest');
    expect(urlOf(legacy, { version: '1.0' })).toBeUndefined();
  });

  it('finds 0.3 in the legacy members of a 1.0 card', () => {
    const superset: JsonObject = {
      ...legacy,
      supportedInterfaces: [modern.supportedInterfaces ?? null].flat().slice(2, 4),
    };
    expect(urlOf(superset, { binding: 'GRPC', version: '0.3' })).toBe('a:50051');
  });

  it('takes an interface without a version for 0.3', () => {
    const card = { supportedInterfaces: [{ url: 'http://a', protocolBinding: 'JSONRPC' }] };
    expect(urlOf(card, { version: '0.3' })).toBe('http://a');
    expect(urlOf(card, { version: '1.0' })).toBeUndefined();
  });
});

describe('cardUrls', () => {
  it('looks below the URL first, then at the origin, newest name first', () => {
    expect(cardUrls('http://a:1/x/')).toEqual([
      'http://a:1/x/.well-known/agent-card.json',
      'http://a:1/.well-known/agent-card.json',
      'http://a:1/x/.well-known/agent.json',
      'http://a:1/.well-known/agent.json',
    ]);
    expect(cardUrls('http://a')).toHaveLength(2);
  });

  it('takes a URL that names a file as it is, and no URL for none', () => {
    expect(cardUrls('http://a/cards/echo.json?x=1')).toEqual(['http://a/cards/echo.json?x=1']);
    expect(cardUrls('not a url')).toEqual([]);
    expect(cardUrls('file:///etc/passwd')).toEqual([]);
  });
});

describe('a card that cannot be used', () => {
  const problems = (card: Parameters<typeof parseCard>[0]) => parseCard(card).problems;

  it('says why', () => {
    expect(problems('{"a":')).toEqual(['the card is no JSON: unexpected end of text at offset 5']);
    expect(problems('['.repeat(300))).toEqual(['the card is no JSON: too-large']);
    expect(problems('7')).toEqual(['the card is no JSON object']);
    expect(problems('[]')).toEqual(['the card is no JSON object']);
    expect(problems({ name: 'Echo' })).toEqual([
      'the object is no agent card: it has neither interfaces nor skills',
    ]);
  });

  it('has no interface with a URL', () => {
    const none = ['the card names no interface with a URL'];
    expect(problems({ supportedInterfaces: [] })).toEqual(none);
    expect(problems({ supportedInterfaces: [{ protocolBinding: 'GRPC' }, { url: '' }] })).toEqual(none);
    expect(problems({ supportedInterfaces: [{ url: 7 }, { url: 'a:1' }] })).toEqual([]);
    expect(problems({ supportedInterfaces: [], url: 'http://a' })).toEqual([]);
  });

  it('gives no interface that cannot be called', () => {
    const entry = { protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    expect(urlOf({ supportedInterfaces: [entry, { ...entry, url: '' }] }, {})).toBeUndefined();
    expect(urlOf({ supportedInterfaces: [entry, { ...entry, url: 'http://a' }] }, {})).toBe('http://a');
  });
});

describe('the places of a card', () => {
  it('are looked for over HTTP and HTTPS only, each once', () => {
    expect(cardUrls('https://a.example')).toEqual([
      'https://a.example/.well-known/agent-card.json',
      'https://a.example/.well-known/agent.json',
    ]);
    expect(cardUrls('http://a.example/x//')).toEqual([
      'http://a.example/x/.well-known/agent-card.json',
      'http://a.example/.well-known/agent-card.json',
      'http://a.example/x/.well-known/agent.json',
      'http://a.example/.well-known/agent.json',
    ]);
    for (const url of ['ftp://a.example', 'file:///card.json', 'no url']) expect(cardUrls(url)).toEqual([]);
  });
});
