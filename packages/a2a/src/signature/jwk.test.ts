import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { keyFits, wrongSize } from './algorithms.ts';
import { publicKey, readJwk, readJwkSet, readKeys } from './jwk.ts';

const { publicKey: made, privateKey } = await generateKeyPair('ES256', { extractable: true });
const ec = { ...(await exportJWK(made)), kid: 'key-1' };
const secret = { ...(await exportJWK(privateKey)), kid: 'key-1' };

describe('keys that the user gives', () => {
  it('may be one JWK, an array of them, or a set', () => {
    for (const given of [ec, [ec], { keys: [ec] }])
      expect(readKeys(JSON.stringify(given))).toMatchObject([{ kty: 'EC', kid: 'key-1' }]);
  });

  it('are refused with a word about what is wrong', () => {
    const problem = (text: string): string => {
      try {
        readKeys(text);
        return 'none';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(problem('-----BEGIN PUBLIC KEY-----')).toBe('this is PEM; give the key as a JWK (RFC 7517)');
    expect(problem('kty=EC')).toBe('this is no JSON');
    expect(problem('{"keys":[]}')).toBe('there is no key in it');
    expect(problem('{"keys":7}')).toBe('`keys` is no array');
    expect(problem('[{"kid":"a"}]')).toBe('the key is no JWK: it has no `kty`');
    expect(problem(JSON.stringify([ec, secret]))).toBe('key 1 is a private key; give its public part');
    expect(problem(JSON.stringify({ ...ec, kid: undefined }))).toBe(
      'the key has no `kid`, by which signatures name it',
    );
    expect(problem(JSON.stringify({ ...ec, y: undefined }))).toBe('the key (key-1) has no `y`');
    expect(problem(JSON.stringify({ ...ec, y: '!' }))).toBe('the key (key-1) has a `y` that is no base64url');
    expect(problem(JSON.stringify({ ...ec, y: ec.x }))).toBe('the key (key-1) is no valid public key');
    expect(problem('{"kty":"oct","kid":"a","k":"AA"}')).toBe(
      'the key (a) is symmetric: it proves nothing to third parties',
    );
    expect(problem('{"kty":"XX","kid":"a"}')).toBe('the key (a) has the unknown `kty` "XX"');
  });
});

describe('a key that a peer gives', () => {
  it('is read within bounds, and never with its private part', () => {
    expect(readJwk({ ...secret })).not.toHaveProperty('d');
    expect(readJwk({ kty: 'RSA', n: 'A'.repeat(5000) })?.n).toBeUndefined();
    expect(readJwk('EC')).toBeUndefined();
    expect(readJwk({ kty: 'x'.repeat(100) })).toBeUndefined();
    expect(readJwkSet({ keys: new Array(1000).fill(ec) })).toHaveLength(64);
    expect(readJwkSet({ keys: [null] })).toBeUndefined();
    expect(readJwkSet({ keys: [] })).toEqual([]);
  });

  it('is not used where its exponent would make a check slow', () => {
    const slow = readJwk({ kty: 'RSA', kid: 'a', n: 'A'.repeat(342), e: 'B'.repeat(300) });
    expect(slow && publicKey(slow)).toBeUndefined();
  });

  it('fits the algorithms of its type, curve and `alg` only', () => {
    const key = readJwk(ec);
    if (key === undefined) throw new Error('no key');
    expect(keyFits('ES256', key)).toBe(true);
    expect(keyFits('ES384', key)).toBe(false);
    expect(keyFits('RS256', key)).toBe(false);
    expect(keyFits('XX', key)).toBeUndefined();
    expect(keyFits('ES256', { ...key, alg: 'ES384' })).toBe(false);
    expect(keyFits('Ed25519', { ...key, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' })).toBe(true);
    expect(keyFits('Ed25519', { ...key, kty: 'OKP', crv: 'Ed448', alg: 'EdDSA' })).toBe(false);
    expect(keyFits('EdDSA', { ...key, kty: 'OKP', crv: 'Ed448', alg: 'ES256' })).toBe(false);
    expect(keyFits('ES256', { ...key, alg: 'Ed25519' })).toBe(false);
    expect(keyFits('ES256', { ...key, alg: 'ES256', crv: undefined })).toBe(false);
    expect(keyFits('RS256', { ...key, kty: 'RSA', crv: undefined })).toBe(true);
  });
});

describe('the size of a signature', () => {
  it('is that of its algorithm', () => {
    expect(wrongSize('ES256', 64)).toBeUndefined();
    expect(wrongSize('ES256', 70)).toBe('64 bytes');
    expect(wrongSize('EdDSA', 114)).toBeUndefined();
    expect(wrongSize('RS256', 128)).toBe('at least 256 bytes');
    expect(wrongSize('RS256', 512)).toBeUndefined();
    expect(wrongSize('HS256', 20)).toBe('32 bytes');
    expect(wrongSize('HS256', 32)).toBeUndefined();
    expect(wrongSize('HS512', 32)).toBe('64 bytes');
    expect(wrongSize('PS256', 256)).toBeUndefined();
    expect(wrongSize('PS256', 255)).toBe('at least 256 bytes');
    expect(wrongSize('EdDSA', 100)).toBe('64 or 114 bytes');
    expect(wrongSize('XX', 1)).toBeUndefined();
  });
});
