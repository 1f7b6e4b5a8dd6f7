import type { JsonObject } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { type CardForm, canonicalCard, cardForms } from './forms.ts';

const card: JsonObject = {
  name: 'Echo',
  description: '',
  documentationUrl: '',
  provider: {},
  capabilities: { streaming: false, extensions: [{ uri: 'u', required: false, more: 1 }, 7] },
  securitySchemes: { a: { mtlsSecurityScheme: {}, later: 0 } },
  securityRequirements: [],
  defaultInputModes: ['a', ''],
  skills: [],
  iconUrl: null,
  later: { n: 0 },
  signatures: [{ signature: 'x' }],
};

const forms = (value: JsonObject, before?: JsonObject[]): readonly CardForm[] => [
  ...cardForms(value, before),
];
const extensions = [{ uri: 'u' }, 7];
const schemes = { a: { mtlsSecurityScheme: {} } };

describe('the forms in which a card may have been signed', () => {
  it('are the members of section 8.4.1 first, then what signers make of them', () => {
    const chosen = forms(card)
      .filter(({ rfc8785, withSignatures }) => rfc8785 && !withSignatures)
      .map(({ name, conforming, payload }) => [
        name.replace(/, RFC 8785$/, ''),
        conforming,
        JSON.parse(payload),
      ]);
    const bySpec = {
      ...{ name: 'Echo', description: '', documentationUrl: '', provider: {}, skills: [] },
      ...{
        capabilities: { streaming: false, extensions },
        securitySchemes: schemes,
        defaultInputModes: ['a', ''],
      },
    };
    const cleaned = { name: 'Echo', capabilities: bySpec.capabilities, defaultInputModes: ['a'] };
    const { documentationUrl: _, ...withoutOptional } = bySpec;
    const { description: __, skills: ___, ...withoutRequired } = bySpec;
    const later = { later: { n: 0 } };
    const withMore = [{ uri: 'u', more: 1 }, 7];
    expect(chosen).toEqual([
      ['the members of section 8.4.1', true, bySpec],
      [
        'the members of section 8.4.1 and unknown ones',
        true,
        {
          ...bySpec,
          ...later,
          capabilities: { streaming: false, extensions: withMore },
          securitySchemes: { a: { mtlsSecurityScheme: {}, later: 0 } },
        },
      ],
      ['clean-empty', false, cleaned],
      [
        'clean-empty with unknown members',
        false,
        {
          ...cleaned,
          ...later,
          capabilities: card.capabilities,
          securitySchemes: { a: { later: 0 } },
        },
      ],
      [
        'without members at their default, `optional` ones included',
        false,
        { ...withoutOptional, capabilities: { extensions } },
      ],
      ['without members at their default, REQUIRED ones included', false, withoutRequired],
      [
        'without any member at its default',
        false,
        {
          ...{ name: 'Echo', provider: {}, capabilities: { extensions } },
          ...{ securitySchemes: schemes, defaultInputModes: ['a', ''] },
        },
      ],
      [
        'every known member as served',
        false,
        {
          ...bySpec,
          capabilities: { streaming: false, extensions: [{ uri: 'u', required: false }, 7] },
          securityRequirements: [],
        },
      ],
      ['every member as served', false, { ...card, signatures: undefined }],
    ]);
  });

  it('leave out the security schemes that the JS SDK loses', () => {
    const scheme = { httpAuthSecurityScheme: { scheme: 'Bearer' } };
    const names = forms({ name: 'Echo', securitySchemes: { a: scheme } }).map(({ name, payload }) => [
      name,
      payload,
    ]);
    expect(names).toContainEqual(['clean-empty without security schemes, RFC 8785', '{"name":"Echo"}']);
  });

  it('may have the signatures in them: those that were there before, or an empty list', () => {
    const before = [{ signature: 'first' }];
    const payloads = (given?: JsonObject[]) =>
      forms({ name: 'Echo' }, given)
        .filter(({ withSignatures }) => withSignatures)
        .map(({ payload, conforming, name }) => [payload, conforming, name.split(', ')[1]]);
    const empty = ['{"name":"Echo","signatures":[]}', false, 'with `signatures`'];
    expect(payloads()[0]).toEqual(empty);
    expect(payloads(before)).toContainEqual(empty);
    expect(payloads(before)[0]).toEqual([
      '{"name":"Echo","signatures":[{"signature":"first"}]}',
      false,
      'with `signatures`',
    ]);
    expect(payloads([]).length).toBeLessThan(payloads(before).length);
  });

  it('are each written as a JSON library does: in order, as ASCII, with spaces, with floats', () => {
    const value = {
      name: 'é\u007f~"',
      later: { '\uFF61': 2, '😀': [1.5, true, null, 1e21], ab: 'x', a: {} },
    };
    const written = forms(value)
      .filter(({ name }) => name.startsWith('every member as served,') || name.includes('unknown ones, '))
      .filter(({ withSignatures }) => !withSignatures)
      .map(({ name, payload, rfc8785 }) => [name.split(', ').at(-1), payload, rfc8785]);
    expect(written).toEqual([
      [
        'RFC 8785',
        `{"later":{"a":{},"ab":"x","😀":[1.5,true,null,1e+21],"\uFF61":2},"name":"é\u007f~\\""}`,
        true,
      ],
      [
        'sorted ASCII',
        '{"later":{"a":{},"ab":"x","\\uff61":2,"\\ud83d\\ude00":[1.5,true,null,1e+21]},"name":"\\u00e9\\u007f~\\""}',
        false,
      ],
      [
        'sorted ASCII with spaces',
        '{"later": {"a": {}, "ab": "x", "\\uff61": 2, "\\ud83d\\ude00": [1.5, true, null, 1e+21]}, "name": "\\u00e9\\u007f~\\""}',
        false,
      ],
      [
        'sorted ASCII with floats',
        '{"later":{"a":{},"ab":"x","\\uff61":2.0,"\\ud83d\\ude00":[1.5,true,null,1e+21]},"name":"\\u00e9\\u007f~\\""}',
        false,
      ],
      [
        'members in the order served',
        `{"name":"é\u007f~\\"","later":{"\uFF61":2,"😀":[1.5,true,null,1e+21],"ab":"x","a":{}}}`,
        false,
      ],
    ]);
  });

  it('conform only as RFC 8785 writes them', () => {
    const conforming = forms({ name: 'é', later: 1 }, [{}]).filter((form) => form.conforming);
    expect(conforming.map(({ name }) => name)).toEqual([
      'the members of section 8.4.1, RFC 8785',
      'the members of section 8.4.1 and unknown ones, RFC 8785',
    ]);
  });

  it('are each payload once', () => {
    const payloads = forms(card, [{ signature: 'first' }]).map(({ payload }) => payload);
    expect(new Set(payloads).size).toBe(payloads.length);
    expect(forms({}).map(({ payload }) => payload)).toEqual([
      '{}',
      '{"signatures":[]}',
      '{"signatures": []}',
    ]);
  });

  it('lack those that cannot be written', () => {
    const broken = forms({ name: '\ud800' }).map(({ name }) => name.split(', ').at(-1));
    expect(broken).not.toContain('RFC 8785');
    expect(broken).toContain('sorted ASCII');
  });
});

describe('the canonical card', () => {
  it('keeps what is of a wrong shape as it is', () => {
    const odd: JsonObject = {
      name: 7,
      skills: 'x',
      securitySchemes: [{ later: 1 }],
      capabilities: 'none',
      provider: [],
    };
    expect(JSON.parse(canonicalCard(odd) ?? '')).toEqual(odd);
  });

  it('leaves out what is empty, false or zero only where it is implicit', () => {
    const skill = { id: '', name: '', description: '', tags: [], examples: [], inputModes: [''] };
    expect(JSON.parse(canonicalCard({ skills: [skill] }) ?? '')).toEqual({
      skills: [{ id: '', name: '', description: '', tags: [], inputModes: [''] }],
    });
    const extension = { uri: '', description: 0, required: false, params: {} };
    expect(JSON.parse(canonicalCard({ capabilities: { extensions: [extension] } }) ?? '')).toEqual({
      capabilities: { extensions: [{ params: {} }] },
    });
  });
});
