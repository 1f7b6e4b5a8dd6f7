import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileStrings } from './fixtures/sample-run.ts';
import { code, prose, table, tableCode } from './markdown.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...hostileStrings),
  fc.stringMatching(/^[`| \\<]*$/),
);

describe('prose', () => {
  it('leaves no HTML, table border, code, emphasis, link or mention', () => {
    expect(prose('<b>|`*_[x](y)~$@me')).toBe('&lt;b&gt;\\|\\`\\*\\_\\[x\\](y)\\~\\$&#64;&#8203;me');
    expect(prose('see http://evil.example and www.evil.example')).toBe(
      'see http&#58;//evil.example and www.&#8203;evil.example',
    );
  });

  it('leaves ordinary text readable', () => {
    expect(prose('SSE-010: section 3.1.2 (server), 100%')).toBe('SSE-010: section 3.1.2 (server), 100%');
  });

  it('cannot start a heading, list or rule', () => {
    expect(prose('# x')).toBe('\\# x');
    expect(prose('- x')).toBe('\\- x');
    expect(prose('1. x')).toBe('1\\. x');
  });

  it('keeps any text on one line, without raw markup', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = prose(text);
        expect(result).not.toMatch(/[\n\r<>]/);
        expect(result).not.toMatch(/(?<!\\)(?:\\\\)*[|`*_[\]]/);
      }),
    );
  });
});

describe('code', () => {
  it('fences backticks with a longer run', () => {
    expect(code('a `` b')).toBe('```a `` b```');
    expect(code('`')).toBe('`` ` ``');
  });

  it('says where there is nothing', () => {
    expect(code('')).toBe('*(empty)*');
  });

  it('cannot be left by any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const result = code(text);
        const fence = /^`+/.exec(result)?.[0] ?? '';
        if (fence === '') {
          expect(result).toBe('*(empty)*');
          return;
        }
        const inside = result.slice(fence.length, -fence.length);
        expect(result.endsWith(fence)).toBe(true);
        expect(inside).not.toContain('\n');
        expect([...inside.matchAll(/`+/g)].every(([run]) => run.length !== fence.length)).toBe(true);
        expect(inside.startsWith('`') || inside.endsWith('`')).toBe(false);
      }),
    );
  });
});

describe('tableCode', () => {
  it('never holds a pipe that a table would take for a border', () => {
    expect(tableCode('a b')).toBe('`a b`');
    expect(tableCode('a\\|b')).toBe('a\\\\\\|b');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(tableCode(text).replace(/\\./g, '')).not.toContain('|');
      }),
    );
  });
});

describe('table', () => {
  it('aligns numbers to the right', () => {
    expect(table(['a', 'b'], [['x', '1']], [1])).toEqual(['| a | b |', '| :-- | --: |', '| x | 1 |', '']);
  });
});
