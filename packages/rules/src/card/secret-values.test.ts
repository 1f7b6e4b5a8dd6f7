import { describe, expect, it } from 'vitest';
import { secretForm, secretsIn } from './secret-values.ts';

const letters = (count: number): string => 'a1B2'.repeat(count).slice(0, count);

describe('the form of a secret', () => {
  for (const [text, kind] of [
    ['-----BEGIN EC PRIVATE KEY-----', 'a private key'],
    [`eyJ${letters(20)}.eyJ${letters(20)}.${letters(20)}`, 'a JSON Web Token'],
    [`ghp_${letters(36)}`, 'a GitHub token'],
    ['AKIAABCDEFGH12345678', 'an AWS access key'],
    [`AIza${letters(35)}`, 'a Google API key'],
    [`xoxb-${letters(24)}`, 'a Slack token'],
    [`use sk-${letters(32)} here`, 'an API key'],
    [`sk-proj-${letters(32)}`, 'an API key'],
    [`sk_live_${letters(24)}`, 'a live key'],
    [`Bearer ${letters(24)}`, 'a bearer token'],
    [`Basic ${Buffer.from('bot:hunter2').toString('base64')}`, 'credentials'],
    ['https://bot:hunter2@agent.test/', 'a password in a URL'],
    ['‹hmac:0123456789abcdef›', 'a secret'],
  ] as const)
    it(`is seen in ${kind}: ${text.slice(0, 24)}`, () => {
      expect(secretForm(text)).toBe(kind);
    });

  for (const text of [
    'Basic arithmetic',
    'Basic authentication',
    'Bearer authentication-scheme',
    'Uses sk-learn-based-classification-models',
    'risk-assessment-and-mitigation-planning',
    'https://agent.example:8443/a2a/@me',
    'Send your API key in this header',
    'eyJ is how tokens begin',
    'x'.repeat(100_000),
  ])
    it(`is not seen in ${text.slice(0, 40)}`, () => {
      expect(secretForm(text)).toBeUndefined();
    });
});

describe('secrets in a card', () => {
  it('show by the name of their member, too, with their place', () => {
    expect(
      secretsIn({ login: { password: 'hunter2' }, skills: [{ clientSecret: 'correct horse' }] }),
    ).toEqual([
      { pointer: '/login/password', kind: 'a secret' },
      { pointer: '/skills/0/clientSecret', kind: 'a secret' },
    ]);
  });

  it('are not looked for in what is free-form, public, or a placeholder', () => {
    expect(
      secretsIn({
        params: { password: 'hunter2' },
        signatures: [{ protected: `eyJ${letters(20)}.eyJ${letters(20)}.` }],
        scopes: { secret: 'Read secrets' },
        password: '<your password>',
        flows: { password: { tokenUrl: 'https://auth.example/token' } },
      }),
    ).toEqual([]);
  });

  it('are listed up to a number', () => {
    expect(secretsIn({ list: new Array(100).fill('https://a:b@agent.test/') })).toHaveLength(16);
  });
});
