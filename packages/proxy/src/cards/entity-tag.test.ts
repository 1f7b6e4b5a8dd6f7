import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EntityTags } from './entity-tag.ts';

const tags = new EntityTags('0a1b2c3d');

describe('EntityTags', () => {
  it('gives the callee back what it gave', () => {
    const opaque = fc.string({ unit: fc.constantFrom(...'abz019-.,:;!#$/ ') });
    fc.assert(
      fc.property(opaque, fc.boolean(), (text, weak) => {
        const original = `${weak ? 'W/' : ''}"${text}"`;
        const outward = tags.outward(original) ?? '';
        expect(outward).toMatch(/^W\/"/);
        expect(outward).not.toBe(original);
        expect(tags.inward(outward)).toBe(original);
      }),
    );
  });

  it.each([
    ['*', '*'],
    ['"of the callee itself"', undefined],
    [`${tags.outward('"a"')}, "b", ${tags.outward('W/"c"')}`, '"a", W/"c"'],
    [new EntityTags('ffffffff').outward('"a"') ?? '', undefined],
  ])('If-None-Match: %s goes on as %s', (condition, expected) => {
    expect(tags.inward(condition)).toBe(expected);
  });

  it('drops what is no entity tag', () => {
    expect(tags.outward('abc')).toBeUndefined();
  });
});
