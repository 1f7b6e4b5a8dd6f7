import { expect, it } from 'vitest';
import { digestFor } from './digests.ts';
import { HeldBytes } from './held-bytes.ts';

const hello = Buffer.from('hello');

// As `openssl dgst -binary | base64` has them.
it.each([
  ['content-digest', 'sha-256=:x:', 'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:'],
  ['repr-digest', 'SHA-256=:x:', 'SHA-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:'],
  [
    'digest',
    'SHA-256=x,MD5=y',
    'SHA-256=LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=,MD5=XUFAKrxLKna5cZ2REBfFkg==',
  ],
  ['content-digest', 'sha-256=:x:, crc32c=:y:', 'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:'],
  ['content-md5', 'x', 'XUFAKrxLKna5cZ2REBfFkg=='],
  ['content-digest', 'crc32c=:y:', undefined],
  ['content-digest', '', undefined],
  ['content-digest', 'sha-256', undefined],
])('%s: %s is made anew', (field, value, expected) => {
  expect(digestFor(field, value, hello)).toBe(expected);
});

it('what is held back is bounded, and there is room again once it goes', () => {
  const held = new HeldBytes(10);
  expect([held.take(6), held.take(5), held.take(4), held.take(1)]).toEqual([true, false, true, false]);
  held.give(6);
  expect(held.take(6)).toBe(true);
});
