import type { Json, JsonObject } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { bindingOf, cardVersion, cardView, looksLikeCard } from './card.ts';

describe('the version of a card', () => {
  it('is 1.0 where it lists interfaces, under the JSON or the proto name', () => {
    expect(cardVersion({ supportedInterfaces: [] })).toBe('1.0');
    expect(cardVersion({ supported_interfaces: [], protocolVersion: '0.3.0' })).toBe('1.0');
  });

  it('is what it declares, or else what its members show', () => {
    expect(cardVersion({ protocolVersion: '0.2.5', signatures: [] })).toBe('0.2');
    expect(cardVersion({ signatures: [] })).toBe('0.3');
    expect(cardVersion({ authentication: { schemes: ['bearer'] } })).toBe('0.1');
    expect(cardVersion({ authentication: 'bearer' })).toBe('0.2');
  });

  it('is that of the call that it answered, or else that of its path, where it shows none', () => {
    const path = '/.well-known/agent-card.json';
    expect(cardVersion({ name: 'Echo' }, { version: '0.1', path })).toBe('0.1');
    expect(cardVersion({ name: 'Echo' }, { path })).toBe('0.3');
    expect(cardVersion({ name: 'Echo' }, { path: '/.well-known/agent.json' })).toBe('0.2');
    expect(cardVersion({ name: 'Echo' })).toBe('0.2');
  });
});

describe('looksLikeCard', () => {
  it('takes what lists interfaces, and what says its name, what it can do, and where or in which version', () => {
    expect(looksLikeCard({ supportedInterfaces: [] })).toBe(true);
    for (const can of ['skills', 'capabilities'])
      for (const where of ['url', 'version'])
        expect(looksLikeCard({ name: 'Echo', [can]: {}, [where]: 'x' })).toBe(true);
  });

  it('refuses everything that lacks one of these', () => {
    const refused: readonly unknown[] = [
      undefined,
      null,
      'skills',
      [],
      {},
      { name: 'Echo', url: 'http://a', version: '1' },
      { name: 'Echo', skills: [], capabilities: {} },
      { skills: [], capabilities: {}, url: 'http://a', version: '1' },
    ];
    for (const value of refused) expect(looksLikeCard(value)).toBe(false);
  });
});

describe('the interfaces of a card', () => {
  it('name a binding in any letter case, or one that A2A does not define', () => {
    expect(['grpc', 'Http+Json', 'JSONRPC', 'ws', 7].map(bindingOf)).toEqual([
      'GRPC',
      'HTTP+JSON',
      'JSONRPC',
      undefined,
      undefined,
    ]);
  });

  it('are JSON-RPC where an older card says no transport', () => {
    const { interfaces } = cardView({ name: 'Echo', url: 'http://a' });
    expect(interfaces).toEqual([
      {
        url: 'http://a',
        binding: 'JSONRPC',
        rawBinding: undefined,
        version: '0.2',
        rawVersion: undefined,
        tenant: undefined,
        pointer: '',
      },
    ]);
  });

  it('are none where the list is no array, or holds no objects', () => {
    expect(cardView({ supportedInterfaces: 'http://a' }).interfaces).toEqual([]);
    expect(cardView({ supportedInterfaces: [7, null] }).interfaces).toEqual([]);
    expect(cardView({ additionalInterfaces: {} }).interfaces).toEqual([]);
  });

  it.each([
    ['0.2.5', '0.2'],
    ['0.3.0', '0.3'],
    ['1.0', '0.3'],
    [undefined, '0.3'],
  ])('that a 1.0 card has for older clients are of the older version it declares', (declared, version) => {
    const card: JsonObject = {
      supportedInterfaces: [],
      url: 'http://a',
      ...(declared === undefined ? {} : { protocolVersion: declared }),
    };
    expect(cardView(card).legacyInterfaces.map((each) => each.version)).toEqual([version]);
  });
});

describe('a card', () => {
  it('lists its interfaces with version, tenant and place', () => {
    const entry = { url: 'http://a', protocolBinding: 'grpc', protocolVersion: '1.0.1', tenant: 't' };
    const card = { supportedInterfaces: [7, entry, { protocolVersion: 1 }] };
    expect(cardView(card).interfaces).toEqual([
      {
        ...{ url: 'http://a', binding: 'GRPC', rawBinding: 'grpc', version: '1.0', rawVersion: '1.0.1' },
        ...{ tenant: 't', pointer: '/supportedInterfaces/1' },
      },
      {
        ...{ url: undefined, binding: undefined, rawBinding: undefined, version: undefined, rawVersion: 1 },
        ...{ tenant: undefined, pointer: '/supportedInterfaces/2' },
      },
    ]);
  });

  it('of 0.x lists its main interface, then the others', () => {
    const others = [7, { url: 'a:1', transport: 'GRPC' }];
    const card = {
      name: 7,
      protocolVersion: '0.3.0',
      url: 'http://a',
      preferredTransport: 'ws',
      additionalInterfaces: others,
    };
    const version = { version: '0.3', rawVersion: '0.3.0', tenant: undefined } as const;
    expect(cardView(card)).toMatchObject({ name: undefined, legacyInterfaces: [] });
    expect(cardView(card).interfaces).toEqual([
      { url: 'http://a', binding: undefined, rawBinding: 'ws', pointer: '', ...version },
      { url: 'a:1', binding: 'GRPC', rawBinding: 'GRPC', pointer: '/additionalInterfaces/1', ...version },
    ]);
  });

  it('says what it can do by true alone, and of the extended card where its version does', () => {
    const capabilities = (value: Json) => ({
      streaming: value,
      pushNotifications: value,
      extendedAgentCard: value,
    });
    const able = { streaming: true, pushNotifications: true, extendedCard: true };
    const notAble = { streaming: false, pushNotifications: false, extendedCard: false };
    expect(cardView({ supportedInterfaces: [], capabilities: capabilities(true) })).toMatchObject(able);
    for (const value of [false, 'true', 1])
      expect(cardView({ supportedInterfaces: [], capabilities: capabilities(value) })).toMatchObject(notAble);
    expect(cardView({ capabilities: capabilities(true) })).toMatchObject({ ...able, extendedCard: false });
    expect(cardView({ supportsAuthenticatedExtendedCard: true })).toMatchObject({
      ...notAble,
      extendedCard: true,
    });
    expect(cardView({ supportsAuthenticatedExtendedCard: 1 }).extendedCard).toBe(false);
    expect([cardView({}, { extended: true }).extended, cardView({}).extended]).toEqual([true, false]);
  });
});
