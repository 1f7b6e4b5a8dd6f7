import { describe, expect, it } from 'vitest';
import { versionOf } from './version.ts';

describe('versionOf', () => {
  it.each([
    ['1.0', '1.0'],
    ['1', '1.0'],
    ['1.7.3', '1.0'],
    ['1.0.0-rc.1', '1.0'],
    ['0.3', '0.3'],
    ['0.3.0', '0.3'],
    ['0.2.6+build', '0.2'],
    ['0.1', '0.1'],
    [' 0.2 ', '0.2'],
    [`1.0-${'x'.repeat(64)}`, '1.0'],
    [`1.0-${'x'.repeat(65)}`, undefined],
    ['0', undefined],
    ['0.4', undefined],
    ['0.10', undefined],
    ['2.0', undefined],
    ['10.0', undefined],
    ['v1.0', undefined],
    ['v1', undefined],
    ['1.0.0.0', undefined],
    ['1.', undefined],
    ['1.0x', undefined],
    ['00001.0', undefined],
    ['1.00000', undefined],
    ['1.0.00000', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %s', (text, version) => {
    expect(versionOf(text)).toBe(version);
  });
});
