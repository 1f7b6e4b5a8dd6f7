import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sealedPath, UrlSeal } from './sealed-url.ts';

const seal = new UrlSeal(Buffer.alloc(32, 1));
const text = fc.string({ maxLength: 200 });

it('a URL comes back as it was, to its sender alone, and to nobody with another key', () => {
  const other = new UrlSeal(Buffer.alloc(32, 2));
  fc.assert(
    fc.property(text, text, (sender, url) => {
      // Lone surrogates have no UTF-8.
      fc.pre(url.isWellFormed() && sender.isWellFormed());
      const path = seal.seal(sender, url) ?? '';
      expect(path).toMatch(/^\/\.plugfest\/webhook\/[A-Za-z0-9_-]+$/);
      expect(seal.open(sender, path)).toBe(url);
      expect(seal.open(`${sender}x`, path)).toBeUndefined();
      expect(other.open(sender, path)).toBeUndefined();
    }),
  );
});

it('equal URLs have equal paths, and different ones share none of their text', () => {
  const url = 'http://inbox.example/hook/secret';
  expect(seal.seal('bob', url)).toBe(seal.seal('bob', url));
  expect(seal.seal('bob', url)).not.toBe(seal.seal('carol', url));
  const [a = '', b = ''] = [seal.seal('bob', `${url}1`), seal.seal('bob', `${url}2`)];
  expect(a.slice(sealedPath.length, sealedPath.length + 16)).not.toBe(
    b.slice(sealedPath.length, sealedPath.length + 16),
  );
});

it('whatever else comes is opened to nothing, and never throws', () => {
  fc.assert(
    fc.property(fc.base64String(), text, (token, more) => {
      expect(seal.open('bob', sealedPath + token)).toBeUndefined();
      expect(seal.open('bob', more)).toBeUndefined();
    }),
  );
});

it('a URL that is too long is not sealed', () => {
  expect(seal.seal('bob', `http://x/${'a'.repeat(4088)}`)).toBeUndefined();
});
