import { describe, expect, it } from 'vitest';
import { redactionFilter } from './filter.ts';
import type { RedactionOptions } from './options.ts';

const secret = 'planted-Secret-7';

/** What is stored of a body of one chunk. */
function stored(text: string, options: RedactionOptions = {}): string {
  const filter = redactionFilter(options);
  const body = filter.body({ target: '/', headers: [], side: 'request', imported: false });
  const first = body.push({ seq: 1, atNs: 1, bytes: Buffer.from(text) });
  const last = body.end();
  if (first instanceof Promise || last instanceof Promise) throw new Error('text is not awaited');
  return [...first, ...last].map(({ bytes }) => Buffer.from(bytes ?? []).toString()).join('');
}

/** Most names are dismissed by their ends alone: these are the ways in which the ends are not what they seem. */
describe('a quick look at a name misses no secret', () => {
  const spelt = [
    ['in capitals', 'TOKEN'],
    ['with separators inside', 't_o.k-e n'],
    ['with separators before it', '_token'],
    ['whose first letter is an escape', '\\u0074oken'],
    ['whose last letter is an escape', 'toke\\u006e'],
    ['with a separator after it', 'token_'],
    ['with a blank after it', 'secret '],
    ['which ends with an escaped blank', 'token\\t'],
    ['which ends with an escaped blank of another letter', 'token\\r'],
    ['which ends with an escape of four digits that is a blank', 'token\\u0020'],
  ] as const;
  for (const [how, name] of spelt)
    it(`of a JSON member ${how}`, () => expect(stored(`{"${name}":"${secret}"}`)).not.toContain(secret));

  for (const name of ['toke\\u006e', 'secre\\u0074', 'api_ke\\u0079', 'password\\r', 'secret_'])
    for (const times of [1, 2])
      it(`of a JSON member ${name} in JSON that is quoted ${times === 1 ? 'once' : 'twice'}`, () => {
        let text = `{"${name}":"${secret}"}`;
        for (let i = 0; i < times; i += 1) text = JSON.stringify({ text });
        expect(stored(text)).not.toContain(secret);
      });

  it('of a member that the options name, which ends like none of ours', () => {
    expect(stored(`{"kiosk42":"${secret}"}`)).toContain(secret);
    expect(stored(`{"Kiosk_42":"${secret}"}`, { members: ['kiosk42'] })).not.toContain(secret);
  });

  for (const text of [
    `failed: password = ${secret}`,
    `failed: pass%77ord=${secret}`,
    `failed: passwor%64=${secret}`,
    `failed: pwd: ${secret}`,
    `?x=1&api%5Fkey=${secret}`,
    `went wrong\\u0026token=${secret}`,
  ])
    it(`of a pair in a text: ${text}`, () => expect(stored(text)).not.toContain(secret));
});

describe('the words before a token are found', () => {
  for (const word of ['Bearer', 'bearer', 'BEARER', 'Basic', 'basic'])
    it(`${word}, wherever it stands`, () => {
      const token = word.toLowerCase() === 'basic' ? 'dXNlcjpwbGFudGVk' : 'abcdefghijklmnop4qrstu';
      for (const before of ['', 'said ', `${'bear '.repeat(200)}earer asic `])
        expect(stored(`${before}${word} ${token} and more`)).not.toContain(token);
    });
});

describe('a remembered secret is found', () => {
  it('whatever characters it begins with', () => {
    for (const each of ['.*+?^{}()|[]$', '\\d\\d\\d\\d', 'é'.repeat(8), '////////'])
      expect(stored(`before ${each} after`, { secrets: [each] })).not.toContain(each);
  });

  it('among many others, and with one that is the beginning of another', () => {
    for (const count of [2, 15, 17, 300]) {
      const secrets = Array.from({ length: count }, (_, i) => `a-secret-${i}`);
      expect(stored(`x a-secret-${count - 1} y`, { secrets })).toMatch(/^x ‹hmac:[0-9a-f]{20}› y$/);
    }
  });

  it('in a text that was clean as long as the secret was not known', () => {
    const filter = redactionFilter({});
    const target = '/files/abcdefghijklmnopqrst';
    expect(filter.target(target)).toBe(target);
    filter.headers(['Authorization', 'Bearer abcdefghijklmnopqrst']);
    expect(filter.target(target)).toMatch(/^\/files\/‹hmac:/);
  });
});
