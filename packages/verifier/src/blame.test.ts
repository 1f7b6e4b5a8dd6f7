import { expect, it } from 'vitest';
import { blame } from './blame.ts';
import type { RuleParty } from './rule.ts';
import type { ExchangeIdentity } from './subjects.ts';

const blamed = (rule: RuleParty, kind: 'a2a' | 'webhook', side?: 'request' | 'response') => {
  const edge = { caller: 'caller', callee: 'callee', kind };
  const { party, agent } = blame(rule, side && { side }, { edge } as ExchangeIdentity);
  return `${party} ${agent}`;
};

it.each([
  ['client', 'a2a', 'client caller'],
  ['server', 'a2a', 'server callee'],
  ['gateway', 'a2a', 'gateway callee'],
  ['server', 'webhook', 'server caller'],
  ['webhook-sender', 'webhook', 'webhook-sender caller'],
  ['webhook-receiver', 'webhook', 'webhook-receiver callee'],
] as const)('blames the %s of an exchange (%s) wherever a finding points', (rule, kind, expected) => {
  for (const side of [undefined, 'request', 'response'] as const)
    expect(blamed(rule, kind, side)).toBe(expected);
});

it('blames whoever sent the side that a finding points at, and whoever answers where it points at none', () => {
  expect(blamed('sender', 'a2a', 'request')).toBe('client caller');
  expect(blamed('sender', 'a2a', 'response')).toBe('server callee');
  expect(blamed('sender', 'a2a')).toBe('server callee');
  expect(blamed('sender', 'webhook', 'request')).toBe('webhook-sender caller');
  expect(blamed('sender', 'webhook', 'response')).toBe('webhook-receiver callee');
  expect(blamed('sender', 'webhook')).toBe('webhook-receiver callee');
});
