import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson, syntaxErrorOffset } from './json-text.ts';
import { limits } from './limits.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Text near JSON: valid JSON with one character replaced or cut, or random pieces of its grammar. */
const nearJson = fc.oneof(
  fc.json(),
  fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, put]) => {
    const i = at % (text.length + 1);
    return text.slice(0, i) + put + text.slice(i + 1);
  }),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '\\',
        '\\u00',
        '1',
        '-',
        '.',
        '0',
        'e',
        'true',
        'null',
        ' ',
        '\n',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

describe('syntaxErrorOffset', () => {
  it('finds an error exactly where the parser refuses a text', () => {
    fc.assert(
      fc.property(nearJson, (text) => {
        expect(syntaxErrorOffset(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{"jsonrpc":"2.0" "id":1}', 17],
    ['{"a":1,}', 7],
    ['[1,2', 4],
    ['01', 1],
    ['', 0],
    ['{"a":NaN}', 5],
  ])('%s fails at %i', (text, offset) => {
    expect(syntaxErrorOffset(text)).toBe(offset);
  });
});

describe('readJson', () => {
  it('gives the value of valid JSON', () => {
    expect(readJson('{"a":[1]}', true, true)).toMatchObject({
      state: 'ok',
      value: { a: [1] },
      duplicates: [],
    });
  });

  it('says in plain words what is wrong with invalid JSON', () => {
    expect(readJson('{"a" 1}', true, true)).toMatchObject({
      state: 'invalid',
      problem: 'unexpected "1" at offset 5',
    });
    expect(readJson('{"a"', true, true).problem).toBe('unexpected end of text at offset 4');
  });

  it('takes a cut text for truncated, unless an object or array is complete', () => {
    expect(readJson('{"a":', true, false).state).toBe('truncated');
    expect(readJson('12', true, false).state).toBe('truncated');
    expect(readJson('{"a":1}', true, false).state).toBe('ok');
  });

  it('points at member names that occur twice, escapes resolved', () => {
    const text = '{"a":1,"b":{"x/y":1,"x\\u002fy":2},"c":[0,{"d":1,"d":2}],"a":"a"}';
    expect(readJson(text, true, true).duplicates).toEqual(['/b/x~1y', '/c/1/d', '/a']);
  });

  it('finds no duplicates in what a serialiser writes, and one where a member is repeated', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.nat(), (value, pick) => {
        const text = JSON.stringify(value);
        expect(readJson(text, true, true).duplicates).toEqual([]);
        const names = Object.keys(value);
        const name = JSON.stringify(names[pick % names.length]);
        expect(readJson(`${text.slice(0, -1)},${name}:0}`, true, true).duplicates).toHaveLength(1);
      }),
    );
  });

  it('reads nothing deeper or larger than its limits', () => {
    const deep = '['.repeat(limits.depth + 1) + ']'.repeat(limits.depth + 1);
    expect(readJson(deep, true, true)).toMatchObject({ state: 'too-large' });
    expect(readJson(deep.slice(1, -1), true, true).state).toBe('ok');
    expect(readJson(`[${'0,'.repeat(limits.values)}0]`, true, true).state).toBe('too-large');
  });

  // Quadratic work on these would take minutes: the test runner's limit is the check.
  it('reads hostile texts of one megabyte in linear time', () => {
    const size = 1_000_000;
    const names = Array.from({ length: 60_000 }, (_, index) => `"k${index}":${index}`).join();
    const states = [
      '\\"'.repeat(size / 2),
      `"${'\\'.repeat(size)}"`,
      `{${'"a":1,'.repeat(size / 10)}"a":1}`,
      `{${names}}`,
      '[]}'.repeat(size / 3),
    ].map((text) => readJson(text, true, true).state);
    expect(states).toEqual(['invalid', 'ok', 'ok', 'ok', 'invalid']);
  });
});
