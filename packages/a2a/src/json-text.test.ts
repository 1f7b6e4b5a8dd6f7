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
    ['{"a":1 "b"}', 7],
    ['{"a":1]', 6],
    ['[1}', 2],
    ['{]', 1],
    ['[}', 1],
    ['[,1]', 1],
    ['[1,]', 3],
    ['{1:2}', 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1,2}', 7],
    ['{"a":1}}', 7],
    ['"a" "b"', 4],
    ['"a', 2],
    ['"\\x"', 2],
    ['"\\u12g4"', 5],
    ['"\\u123', 6],
    ['"\\', 2],
    ['"\u001f"', 1],
    ['-', 1],
    ['-a', 1],
    ['1.', 2],
    ['1.e5', 2],
    ['1e', 2],
    ['1e+', 3],
    ['1e+x', 3],
    ['.5', 0],
    ['+1', 0],
    ['truE', 0],
    ['nul', 0],
    ['\u00a01', 0],
  ])('%s fails at %i', (text, offset) => {
    expect(syntaxErrorOffset(text)).toBe(offset);
  });

  it.each([
    ' \t\r\n[ ] ',
    '{ "a" : [ { } , 1 ] , "b" : { "c" : null } }',
    '[-0,0.10,1e5,1E-05,-1.5e+2,10]',
    '[true,false,null]',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00aF\\u9Bc0\u0020\u007f"',
    '{"":{"":[]}}',
  ])('%s has none', (text) => {
    expect(syntaxErrorOffset(text)).toBeUndefined();
    expect(parses(text)).toBe(true);
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

  it('reads exactly as many values and bytes as its limits say', () => {
    const many = (commas: number) => readJson(`[${'0,'.repeat(commas)}0]`, true, true).state;
    expect([many(limits.values - 1), many(limits.values)]).toEqual(['ok', 'too-large']);
    const long = (length: number) => readJson(`"${'x'.repeat(length - 2)}"`, true, true);
    expect(long(limits.bodyBytes).state).toBe('ok');
    expect(long(limits.bodyBytes + 1)).toEqual({ state: 'too-large', text: '', utf8: true, duplicates: [] });
    const deep = '[{"a":1,"a":2}]'.replace('1', '['.repeat(limits.depth));
    expect(readJson(deep, false, true)).toEqual({
      state: 'too-large',
      text: deep,
      utf8: false,
      duplicates: [],
    });
  });

  it('finds a name that occurs twice however many lie between, and says of 64', () => {
    const object = (names: readonly string[]) =>
      readJson(`{${names.map((name) => `${JSON.stringify(name)}:0`).join()}}`, true, true).duplicates;
    const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
    for (const count of [2, 16, 17, 18, 40]) {
      const some = names.slice(0, count);
      expect(object(some)).toEqual([]);
      expect(object([...some, 'n0'])).toEqual(['/n0']);
      expect(object([...some, `n${count - 1}`])).toEqual([`/n${count - 1}`]);
      expect(object([...some, 'a', 'a'])).toEqual(['/a']);
    }
    expect(object(Array(100).fill('a'))).toHaveLength(limits.duplicates);
  });

  it('takes names of one object for its own, and texts for no names', () => {
    const clean = [
      '[{"a":1},{"a":1}]',
      '{"a":{"a":{"a":"a"}},"b":["a","a","b"]}',
      `[{${Array.from({ length: 20 }, (_, i) => `"n${i}":0`).join()}},{"n0":0}]`,
      '{"a":"\\"","b":"{\\"b\\":1,","c":"\\\\"}',
      '{"a":[1,{"b":2}],"c":[[],{}],"d":"}","e":"]"}',
    ];
    for (const text of clean)
      expect(readJson(text, true, true)).toMatchObject({ state: 'ok', duplicates: [] });
    expect(readJson('{"a":[{},{"b":1},[0,{"c":1,"c":2}]],"a":{"d":1,"d":2}}', true, true).duplicates).toEqual(
      ['/a/2/1/c', '/a', '/a/d'],
    );
    expect(readJson('{"a":[],"a":1,"\\u0061":2,"\\":3}', true, true).state).toBe('invalid');
  });

  it('lists no names of a text that is no JSON', () => {
    for (const text of ['{"a":1,"a":2', '}}{"a":1,"a":2}', '{"a":1,"a":2}]'])
      expect(readJson(text, true, true)).toMatchObject({ state: 'invalid', duplicates: [] });
    expect(readJson('{"a":1,"a":2', true, false)).toEqual({
      ...{ state: 'truncated', text: '{"a":1,"a":2', utf8: true, duplicates: [] },
    });
  });

  it('passes over a byte order mark at the start', () => {
    expect(readJson('\uFEFF[1]', true, true)).toMatchObject({ state: 'ok', value: [1], text: '\uFEFF[1]' });
    expect(readJson(' \uFEFF[1]', true, true).state).toBe('invalid');
  });

  it('quotes the whole character that is wrong', () => {
    expect(readJson('[😀]', true, true).problem).toBe('unexpected "😀" at offset 1');
    expect(readJson('["\t"]', true, true).problem).toBe('unexpected "\\t" at offset 2');
  });

  it('takes a cut scalar for truncated, whatever it looks like', () => {
    for (const text of ['12', '"a"', 'null', 'true', ''])
      expect(readJson(text, true, false).state).toBe('truncated');
    expect(readJson('[]', false, false)).toMatchObject({ state: 'ok', utf8: false, value: [] });
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

describe('a text that came lately', () => {
  const textOf = (name: string, size = 600): string => JSON.stringify({ name, padding: 'x'.repeat(size) });

  it('has the value that it had, and another one of the same length has its own', () => {
    const first = readJson(textOf('a'), true, true);
    const other = readJson(textOf('b'), true, true);
    expect(readJson(textOf('b'), true, true).value).toBe(other.value);
    expect([first.value, other.value]).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });

  it('is read again where it may be cut, or is not UTF-8', () => {
    const { value } = readJson(textOf('c'), true, true);
    for (const again of [readJson(textOf('c'), true, false), readJson(textOf('c'), false, true)]) {
      expect(again.value).toEqual(value);
      expect(again.value).not.toBe(value);
    }
  });

  it('is forgotten after some others, and where it is too long to be kept', () => {
    const known = readJson(textOf('d'), true, true);
    for (let i = 0; i < 40; i += 1) readJson(textOf('d', 700 + i), true, true);
    expect(readJson(textOf('d'), true, true).value).not.toBe(known.value);
    const long = [1, 2].map(() => readJson(textOf('e', 40_000), true, true).value);
    expect(long[0]).not.toBe(long[1]);
  });
});
