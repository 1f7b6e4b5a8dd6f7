import type { JsonObject } from '@plugfest/model';
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
