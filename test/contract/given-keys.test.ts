import { type Jwk, readKeys } from '@plugfest/a2a';
import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import { loadRulebook } from '@plugfest/rules';
import { Verification } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { describe, expect, it } from 'vitest';

const book = await loadRulebook();
const rule = book.rules.find(({ id }) => id === 'SIGN-010');
const [[signed, keySet] = []] = rule?.examples.good ?? [];
const [forged] = rule?.examples.bad[0]?.example ?? [];
const keys =
  keySet !== undefined && 'response' in keySet ? readKeys(JSON.stringify(keySet.response?.body)) : [];

function statusOf(example: Example, given: readonly Jwk[]): string | undefined {
  const verification = new Verification(book, { keys: given });
  for (const exchange of capturedFromNdjson(example)) verification.add(exchange);
  return verification.finish().rules.find(({ id }) => id === 'SIGN-010')?.status;
}

describe('a card signature whose key is given', () => {
  const only = (exchange: Example[number] | undefined): Example => (exchange === undefined ? [] : [exchange]);

  it('is checked without a key set in the capture', () => {
    expect(keys).toHaveLength(1);
    expect(statusOf(only(signed), keys)).toBe('pass');
    expect(statusOf(only(forged), keys)).toBe('fail');
  });

  it('is undecidable without the key, and with one of another `kid`', () => {
    expect(statusOf(only(forged), [])).toBe('undecidable');
    const others = keys.map((key) => ({ ...key, kid: 'another' }));
    expect(statusOf(only(forged), others)).toBe('undecidable');
  });
});
