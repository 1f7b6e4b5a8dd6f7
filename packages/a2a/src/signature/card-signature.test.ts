import type { Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { fromBase64url, toBase64url } from './base64url.ts';
import { cardSignatures } from './card-signature.ts';

const encoded = (value: unknown): string => toBase64url(JSON.stringify(value));
const one = (value: Json) => cardSignatures({ signatures: [value] })[0];

describe('the signatures of a card', () => {
  it('are the entries of the list, sixteen at most, each with what its header names', () => {
    const header = { alg: 'ES256', kid: 'k', jku: 'https://a/keys', typ: 'JOSE' };
    const value = { protected: encoded(header), signature: 'AAAA', header: { a: 1 } };
    expect(cardSignatures({ signatures: [7, value] })[1]).toEqual({
      index: 1,
      pointer: '/signatures/1',
      value,
      protected: value.protected,
      signature: 'AAAA',
      header: { a: 1 },
      protectedHeader: header,
      protectedFault: undefined,
      alg: 'ES256',
      kid: 'k',
      jku: 'https://a/keys',
    });
    expect(cardSignatures({ signatures: Array(20).fill(value) })).toHaveLength(16);
    for (const signatures of [undefined, null, 'x', {}])
      expect(cardSignatures(signatures === undefined ? {} : { signatures })).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['absent', 'text', 'absent'],
    ['no text', { protected: 7 }, 'absent'],
    ['too long', { protected: 'A'.repeat(64 * 1024 + 1) }, 'absent'],
    ['as long as is read, but no JSON', { protected: 'A'.repeat(64 * 1024) }, 'json'],
    ['no base64url', { protected: 'a+/=' }, 'base64url'],
    ['no text in UTF-8', { protected: Buffer.from([0xff]).toString('base64url') }, 'utf8'],
    ['no object', { protected: encoded([1]) }, 'json'],
  ])('have no header where it is %s', (_what, value, fault) => {
    expect(one(value)).toMatchObject({ protectedHeader: undefined, protectedFault: fault, alg: undefined });
  });

  it('name nothing by what is no text', () => {
    expect(
      one({ protected: encoded({ alg: 1, kid: null, jku: [] }), signature: 7, header: null }),
    ).toMatchObject({
      ...{ alg: undefined, kid: undefined, jku: undefined, signature: undefined, header: undefined },
    });
  });
});

describe('base64url', () => {
  it('has no padding, no other letters, and no single letter left over', () => {
    expect(['', 'QQ', 'QUI', 'QUJD', '-_'].map((text) => fromBase64url(text)?.length)).toEqual([
      0, 1, 2, 3, 1,
    ]);
    for (const text of ['Q', 'QUJDR', 'QQ==', 'Q+', 'Q/', 'Q Q', ' QQ', 'QQ\n'])
      expect(fromBase64url(text)).toBeUndefined();
    expect(toBase64url('é?>')).toBe('w6k_Pg');
  });
});
