import type { PartView } from '@plugfest/a2a';
import { describe, expect, it } from 'vitest';
import { secretsIn } from './secret-text.ts';

const part = (text: string): PartView => ({
  kind: 'text',
  text,
  mediaType: undefined,
  value: { text },
  pointer: '/parts/0',
});
const found = (text: string): string | undefined => secretsIn([part(text)])[0]?.what;

// Put together here, so that no scanner takes this file for a leak.
const jwt = ['eyJhbGciOiJFUzI1NiJ9', 'eyJzdWIiOiJ1c2VyLTEifQ', 'c2lnbmF0dXJlLW9mLW5vYm9keQ'].join('.');

describe('secrets in texts', () => {
  for (const [text, what] of [
    [`My token is ${jwt}.`, 'a JSON Web Token'],
    [`https://agent.example/?token=${jwt}&x=1`, 'a JSON Web Token'],
    ['curl -H "Authorization: Bearer abcdefghijklmnopqrstuvwxyz"', 'a bearer token'],
    [`${'-----BEGIN'} EC PRIVATE KEY-----\nMHc…`, 'a private key'],
    [`Use ${'sk'}-abcdefghijklmnopqrstuvwxyz012345`, 'an API key'],
    [`git clone with ${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`, 'a GitHub token'],
    [`${'AKIA'}ABCDEFGHIJKLMNOP`, 'an access key of AWS'],
    [`${'xoxb'}-123456789012-abcdefghijkl`, 'a Slack token'],
    ['password: correct-horse-7', 'the value of "password"'],
    ['{"client_secret": "abc123def456"}', 'the value of "client_secret"'],
    ['the API key is k7-k7-k7', 'the value of "api key"'],
    ['access_token=‹hmac:0123456789abcdef0123›', 'the value of "access_token"'],
  ] as const)
    it(`are found: ${what} in ${JSON.stringify(text.slice(0, 30))}`, () => {
      expect(found(text)).toBe(what);
    });

  for (const text of [
    'Book a flight to Helsinki for 12 May',
    'I forgot my password, can you reset it?',
    'The password is wrong, and the API key is missing',
    'password: ********',
    'api_key=<your-key-1>',
    'api_key=YOUR_KEY_1',
    `Set password: $${'{SECRET_1}'}`,
    'commit 4bf92f3577b34da6a3ce929d0e0e47364bf92f35',
    'id 0f8fad5b-d9cd-469f-a165-70867728950e',
    'The bearer of the letter is the ambassador of Transylvania',
    'task-sk-1 is done',
    'eyJ is how many tokens begin',
  ])
    it(`are not found in ${JSON.stringify(text)}`, () => {
      expect(found(text)).toBeUndefined();
    });

  it('are looked for in the texts of parts only', () => {
    const data: PartView = { ...part('password: correct-horse-7'), kind: 'data', text: undefined };
    expect(secretsIn([data])).toEqual([]);
  });

  it('are looked for in linear time, whatever the text', () => {
    for (const piece of ['eyJ-', 'eyJaaaaaaaaaa.', 'password:', 'Bearer a ', '-----BEGIN ', 'sk-', 'ghp_'])
      expect(found(piece.repeat(200_000 / piece.length))).toBe(found(piece.repeat(20_000 / piece.length)));
  });
});
