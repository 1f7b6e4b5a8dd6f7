import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, type JsonNode, locateJson, removeMembers, stringAt } from './json-text.ts';

/** Rebuilds the value from positions alone: equal only where every position is right. */
function valueAt(text: string, node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map((member) => [member.name, valueAt(text, member.value)]));
    case 'array':
      return node.items.map((item) => valueAt(text, item));
    default:
      return JSON.parse(text.slice(node.start, node.end));
  }
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('locateJson', () => {
  it('finds every value of any JSON text, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        const node = locateJson(text);
        expect(node && valueAt(text, node)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('takes exactly the texts that JSON.parse takes', () => {
    const characters = fc.constantFrom(...'{}[]":,\\ \n\u0001eE+-.0123truefalsn/ué');
    const shredded = fc
      .tuple(fc.jsonValue({ maxDepth: 2 }), fc.nat(), characters)
      .map(([value, at, character]) => {
        const text = JSON.stringify(value);
        const index = at % (text.length + 1);
        return text.slice(0, index) + character + text.slice(index + 1);
      });
    fc.assert(
      fc.property(fc.oneof(shredded, fc.string({ unit: characters, maxLength: 12 })), (text) => {
        expect(locateJson(text) !== undefined).toBe(parses(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives up on nesting without end instead of running out of stack', () => {
    expect(locateJson('['.repeat(100_000))).toBeUndefined();
  });

  it('ignores a byte order mark', () => {
    expect(locateJson('\ufeff{"a":1}')).toMatchObject({ kind: 'object', start: 1 });
  });

  it('reads a string with escapes', () => {
    const text = '"http:\\/\\/a\\u0062"';
    const node = locateJson(text);
    expect(node && stringAt(text, node)).toBe('http://ab');
  });
});

describe('removeMembers', () => {
  it.each([
    ['{"s":1,"a":2}', '{"a":2}'],
    ['{"a":2 , "s":1 }', '{"a":2 }'],
    ['{"a":2,"s":1,"b":3}', '{"a":2,"b":3}'],
    ['{ "s":1 }', '{ }'],
    ['{"s":1,"s":2}', '{}'],
    ['{"a":1,"s":1,"s":2}', '{"a":1}'],
    ['{"s":1,"a":1,"s":2}', '{"a":1}'],
    ['{"a":1}', '{"a":1}'],
  ])('%s becomes %s', (text, expected) => {
    const node = locateJson(text);
    if (node?.kind !== 'object') throw new Error('not an object');
    expect(applyEdits(text, removeMembers(node, 's'))).toBe(expected);
  });
});
