import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine, printable, shorten } from './printable.ts';

describe('printable', () => {
  it('writes control, bidirectional and unpaired characters as escapes', () => {
    expect(printable('a\u0000b\u001B[31m\u202Ec\uD800d\uFEFF')).toBe(
      'a\\u0000b\\u001B[31m\\u202Ec\\uD800d\\uFEFF',
    );
  });

  it('keeps tabs, line feeds, and text of any script', () => {
    const text = 'tab\there\nשלום 你好 👩‍👩‍👧 é';
    expect(printable(text)).toBe(text);
  });

  it('leaves any text well formed, without controls, and is done after one pass', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary-ascii' }), (wild, ascii) => {
        const text = `${wild.slice(1)}${ascii}${wild.slice(0, 1)}`;
        const result = printable(text);
        expect(result.isWellFormed()).toBe(true);
        expect(/[\p{Cc}\p{Bidi_Control}]/u.test(result.replaceAll(/[\n\t]/g, ''))).toBe(false);
        expect(printable(result)).toBe(result);
      }),
    );
  });

  it('means the same inside a JSON string', () => {
    const raw = `{"text":"rtl \u202E and bom \uFEFF"}`;
    expect(JSON.parse(printable(raw))).toEqual(JSON.parse(raw));
  });

  it('makes one line of many', () => {
    expect(oneLine('one\r\n  two\n\nthree')).toBe('one two three');
  });

  it('shortens on a character border and says how much is gone', () => {
    expect(shorten('abc', 3)).toBe('abc');
    expect(shorten('ab👍cd', 3)).toBe('ab… (4 more characters)');
  });
});
