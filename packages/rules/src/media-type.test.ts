import { describe, expect, it } from 'vitest';
import { majorMinor } from './major-minor.ts';
import { isMediaType } from './media-type.ts';

describe('a media type', () => {
  it.each(['text/plain', 'application/a2a+json', 'text/plain; charset=utf-8', 'text/plain ;q=1', 'a/*'])(
    'is %s',
    (text) => {
      expect(isMediaType(text)).toBe(true);
    },
  );

  it.each(['text', '/plain', 'text/', ' text/plain', 'text/plain charset', 'text/plain/x', 'a b/c'])(
    'is not %s',
    (text) => {
      expect(isMediaType(text)).toBe(false);
    },
  );
});

describe('major and minor of a version', () => {
  it.each([
    ['1.0', '1.0'],
    ['01.00', '1.0'],
    [' 0.3.12 ', '0.3'],
    ['1234.1234.123456', '1234.1234'],
  ])('of %s are %s', (version, expected) => {
    expect(majorMinor(version)).toBe(expected);
  });

  it.each<[unknown]>([['1'], ['v1.0'], ['1.0-beta'], ['1.0.'], ['12345.0'], [1.0], [null], [undefined]])(
    'are not in %s',
    (version) => {
      expect(majorMinor(version)).toBeUndefined();
    },
  );
});
