import { expect, it } from 'vitest';
import { webhookKey } from './webhook-key.ts';

it('leaves out scheme and fragment', () => {
  expect(webhookKey('https://hooks.example/a?b=1#c')).toBe('hooks.example/a?b=1');
});

it('takes time in proportion to the length of what a peer registered', () => {
  expect(webhookKey(`https://hooks.example/${'#'.repeat(1_000_000)}\n`)).toBe('hooks.example/');
});
