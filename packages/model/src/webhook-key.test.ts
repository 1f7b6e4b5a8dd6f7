import { expect, it } from 'vitest';
import { webhookKey } from './webhook-key.ts';

it('leaves out scheme, user and fragment', () => {
  expect(webhookKey('https://hooks.example/a?b=1#c')).toBe('hooks.example/a?b=1');
  expect(webhookKey('https://user:secret@hooks.example/a@b')).toBe('hooks.example/a@b');
});

it('is the same for URLs of one place', () => {
  for (const same of [
    'HTTPS://Hooks.Example',
    'https://hooks.example:443/',
    'http://hooks.example:80',
    'hooks.example:/',
  ])
    expect(webhookKey(same)).toBe('hooks.example/');
  expect(webhookKey('https://Hooks.Example?A=B')).toBe('hooks.example/?A=B');
  expect(webhookKey('http://[::1]:80/A')).toBe('[::1]/A');
  expect(webhookKey('/push')).toBe('/push');
});

it('is another one for other places', () => {
  const others = [
    'https://hooks.example:8443/a',
    'https://hooks.example:4430/a',
    'https://hooks.example/A',
    'https://hooks.example/a/',
    'https://hooks.example/a?',
  ];
  const keys = ['https://hooks.example/a', 'http://[::443]/a', ...others].map(webhookKey);
  expect(new Set(keys).size).toBe(keys.length);
});

it('takes time in proportion to the length of what a peer registered', () => {
  expect(webhookKey(`https://hooks.example/${'#'.repeat(1_000_000)}\n`)).toBe('hooks.example/');
  expect(webhookKey(`https://${':'.repeat(1_000_000)}`)).toHaveLength(1_000_000);
  expect(webhookKey('@'.repeat(1_000_000))).toBe('/');
});
