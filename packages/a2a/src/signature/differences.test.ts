import type { Json, JsonObject } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { cardDefaults, formDifferences } from './differences.ts';

const differences = (card: JsonObject, signed: Json): readonly string[] =>
  formDifferences(card, signed).map(({ kind, pointer }) => `${kind} ${pointer}`);

describe('what is different in a signed payload', () => {
  it('is nothing where it has what section 8.4.1 keeps', () => {
    const card = {
      ...{ name: '', description: 'd', documentationUrl: '', provider: {}, iconUrl: null, later: 1 },
      ...{ securityRequirements: [], skills: [{ id: 's', examples: [] }], signatures: [{}] },
      securitySchemes: { a: { mtlsSecurityScheme: {} } },
    };
    const kept = {
      ...{ name: '', description: 'd', documentationUrl: '', provider: {}, skills: [{ id: 's' }] },
      securitySchemes: { a: { mtlsSecurityScheme: {} } },
    };
    expect(differences(card, kept)).toEqual([]);
    expect(differences(card, { ...kept, later: 1, more: 2 })).toEqual([]);
  });

  it.each<[string, JsonObject, Json, string[]]>([
    [
      'a default that was kept',
      { securityRequirements: [] },
      { securityRequirements: [] },
      ['kept-default /securityRequirements'],
    ],
    [
      'the same of every kind',
      { capabilities: { extensions: [{ uri: '', required: false, description: 0 }] } },
      { capabilities: { extensions: [{ uri: '', required: false, description: 0 }] } },
      [
        'kept-default /capabilities/extensions/0/uri',
        'kept-default /capabilities/extensions/0/required',
        'kept-default /capabilities/extensions/0/description',
      ],
    ],
    ['null that was kept', { iconUrl: null }, { iconUrl: null }, ['kept-default /iconUrl']],
    ['a REQUIRED member that was left out', { name: '' }, {}, ['left-out-required /name']],
    ['an `optional` one', { documentationUrl: '' }, {}, ['left-out-present /documentationUrl']],
    ['an empty message', { provider: {} }, {}, ['left-out-present /provider']],
    [
      'a member that is no default',
      { securityRequirements: [{}] },
      {},
      ['left-out-other /securityRequirements'],
    ],
    [
      'the same deeper',
      { skills: [{ id: '' }, { name: 'n' }] },
      { skills: [{}, {}] },
      ['left-out-required /skills/0/id', 'left-out-required /skills/1/name'],
    ],
    [
      'an entry of a map',
      { securitySchemes: { 'a/b': {} } },
      { securitySchemes: {} },
      ['left-out-present /securitySchemes/a~1b'],
    ],
    [
      'an entry of a map of texts',
      {
        securitySchemes: {
          a: { oauth2SecurityScheme: { flows: { clientCredentials: { scopes: { s: 't' } } } } },
        },
      },
      { securitySchemes: { a: { oauth2SecurityScheme: { flows: { clientCredentials: { scopes: {} } } } } } },
      ['left-out-other /securitySchemes/a/oauth2SecurityScheme/flows/clientCredentials/scopes/s'],
    ],
    [
      'what is inside an entry',
      { securitySchemes: { a: { apiKeySecurityScheme: { name: 'x' } } } },
      { securitySchemes: { a: { apiKeySecurityScheme: {} } } },
      ['left-out-required /securitySchemes/a/apiKeySecurityScheme/name'],
    ],
    ['a list of another length', { skills: [{}, {}] }, { skills: [{}] }, ['left-out-other /skills']],
    [
      'what is in free-form objects',
      { capabilities: { extensions: [{ params: { a: 1, b: '' } }] } },
      { capabilities: { extensions: [{ params: {} }] } },
      [
        'left-out-other /capabilities/extensions/0/params/a',
        'left-out-other /capabilities/extensions/0/params/b',
      ],
    ],
    ['all of it, where nothing was signed that is a card', { name: 'n' }, 'x', ['left-out-required /name']],
    ['an item that is missing', { skills: [{ id: 'a' }] }, { skills: [null] }, []],
    ['a map that is none', { securitySchemes: 'x' }, { securitySchemes: 'x' }, []],
    ['a member that every object has', { toString: 1, name: 'n' }, { name: 'n' }, []],
  ])('is %s', (_what, card, signed, expected) => {
    expect(differences(card, signed)).toEqual(expected);
  });

  it('is listed up to a number', () => {
    const skills = Array.from({ length: 40 }, () => ({ id: 'a' }));
    expect(differences({ skills }, { skills: skills.map(() => ({})) })).toHaveLength(32);
  });
});

describe('the members of a card at their default', () => {
  it('are told by what section 8.4.1 does with them', () => {
    const card = {
      ...{ name: '', iconUrl: null, documentationUrl: '', provider: {}, securityRequirements: [], later: '' },
      ...{ skills: [{ id: '', examples: [], tags: ['', 'x'] }], signatures: [], version: '1' },
      capabilities: { streaming: false, extensions: [{ required: false, params: {} }] },
      securitySchemes: { 'a/b': { mtlsSecurityScheme: { description: '' } } },
    };
    expect(cardDefaults(card)).toEqual({
      implicit: [
        '/iconUrl',
        '/securityRequirements',
        '/skills/0/examples',
        '/capabilities/extensions/0/required',
        '/securitySchemes/a~1b/mtlsSecurityScheme/description',
      ],
      present: [
        '/documentationUrl',
        '/provider',
        '/capabilities/streaming',
        '/capabilities/extensions/0/params',
      ],
      required: ['/name', '/skills/0/id'],
    });
  });

  it('are listed up to a number', () => {
    expect(cardDefaults({ skills: Array.from({ length: 40 }, () => ({ id: '' })) }).required).toHaveLength(
      32,
    );
  });

  it('are none of what is of a wrong shape', () => {
    expect(cardDefaults({ skills: [7, 'x'], capabilities: 'x', provider: 7 })).toEqual({
      implicit: [],
      present: [],
      required: [],
    });
  });
});
