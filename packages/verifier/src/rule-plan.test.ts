import { expect, it } from 'vitest';
import { RulePlan } from './rule-plan.ts';
import { ruleOf } from './testing/rules.ts';

const rules = [
  ruleOf({ id: 'TEST-001', scope: 'exchange', spec: { '0.3': '7', '1.0': '3' }, bindings: ['JSONRPC'] }),
  ruleOf({ id: 'TEST-002', scope: 'exchange', spec: { '1.0': '4' }, bindings: ['HTTP+JSON', 'GRPC'] }),
  ruleOf({ id: 'TEST-003', scope: 'task', spec: { '1.0': '5' }, bindings: ['GRPC'] }),
];

it('has the rules of a scope, version and binding, with the section of the version', () => {
  const plan = new RulePlan(rules, ({ rule, section }) => `${rule.id} ${section}`);
  expect(plan.for('exchange', '1.0', 'JSONRPC')).toEqual(['TEST-001 3']);
  expect(plan.for('exchange', '0.3', 'JSONRPC')).toEqual(['TEST-001 7']);
  expect(plan.for('exchange', '1.0', 'GRPC')).toEqual(['TEST-002 4']);
  expect(plan.for('exchange', '1.0', undefined)).toEqual(['TEST-001 3', 'TEST-002 4']);
  expect(plan.for('exchange', '0.3', undefined)).toEqual(['TEST-001 7']);
  expect(plan.for('task', '1.0', undefined)).toEqual(['TEST-003 5']);
  expect(plan.for('task', '0.2', undefined)).toEqual([]);
  expect(plan.for('hop', '1.0', 'JSONRPC')).toEqual([]);
});

it('makes each rule ready once for each sort of subjects', () => {
  let made = 0;
  const plan = new RulePlan(rules, () => {
    made += 1;
    return made;
  });
  const first = plan.for('exchange', '1.0', undefined);
  expect(plan.for('exchange', '1.0', undefined)).toBe(first);
  plan.for('exchange', '1.0', 'JSONRPC');
  plan.for('exchange', '1.0', 'JSONRPC');
  expect(made).toBe(3);
});
