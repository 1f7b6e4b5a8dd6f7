import { expect, it } from 'vitest';
import type { Scope } from './rule.ts';
import { RulePlan, type Sort } from './rule-plan.ts';
import { ruleOf } from './testing/rules.ts';

const rules = [
  ruleOf({ id: 'TEST-001', scope: 'exchange', spec: { '0.3': '7', '1.0': '3' }, bindings: ['JSONRPC'] }),
  ruleOf({ id: 'TEST-002', scope: 'exchange', spec: { '1.0': '4' }, bindings: ['HTTP+JSON', 'GRPC'] }),
  ruleOf({ id: 'TEST-003', scope: 'task', spec: { '1.0': '5' }, bindings: ['GRPC'] }),
];

const rulesFor = <Prepared>(
  plan: RulePlan<Prepared>,
  scope: Scope,
  version: Sort['version'],
  binding: Sort['binding'],
  topic?: Sort['topic'],
  shown: Sort['shown'] = 'nothing',
): readonly Prepared[] => plan.of({ version, binding, topic, shown }).for(scope);

it('has the rules of a scope, version and binding, with the section of the version', () => {
  const plan = new RulePlan(rules, ({ rule, section }) => `${rule.id} ${section}`);
  expect(rulesFor(plan, 'exchange', '1.0', 'JSONRPC')).toEqual(['TEST-001 3']);
  expect(rulesFor(plan, 'exchange', '0.3', 'JSONRPC')).toEqual(['TEST-001 7']);
  expect(rulesFor(plan, 'exchange', '1.0', 'GRPC')).toEqual(['TEST-002 4']);
  expect(rulesFor(plan, 'exchange', '1.0', undefined)).toEqual(['TEST-001 3', 'TEST-002 4']);
  expect(rulesFor(plan, 'exchange', '0.3', undefined)).toEqual(['TEST-001 7']);
  expect(rulesFor(plan, 'task', '1.0', undefined)).toEqual(['TEST-003 5']);
  expect(rulesFor(plan, 'task', '0.2', undefined)).toEqual([]);
  expect(rulesFor(plan, 'hop', '1.0', 'JSONRPC')).toEqual([]);
});

it('leaves out rules that are about something else', () => {
  const cancels = ruleOf({ id: 'TEST-004', scope: 'exchange', spec: { '1.0': '6' }, about: ['CancelTask'] });
  const plan = new RulePlan([...rules, cancels], ({ rule }) => rule.id);
  expect(rulesFor(plan, 'exchange', '1.0', 'JSONRPC', 'CancelTask')).toEqual(['TEST-001', 'TEST-004']);
  expect(rulesFor(plan, 'exchange', '1.0', 'JSONRPC', 'GetTask')).toEqual(['TEST-001']);
  expect(rulesFor(plan, 'exchange', '1.0', 'JSONRPC', undefined)).toEqual(['TEST-001']);
});

it('leaves out rules that want to be shown something that is not there', () => {
  const errors = ruleOf({ id: 'TEST-004', scope: 'exchange', spec: { '1.0': '6' }, shown: 'failure' });
  const configs = ruleOf({ id: 'TEST-005', scope: 'exchange', spec: { '1.0': '6' }, shown: 'push-config' });
  const plan = new RulePlan([errors, configs], ({ rule }) => rule.id);
  const shown = (what: Sort['shown']) => rulesFor(plan, 'exchange', '1.0', undefined, 'GetTask', what);
  expect(shown('nothing')).toEqual([]);
  expect(shown('failure')).toEqual(['TEST-004']);
  expect(shown('push-config')).toEqual(['TEST-005']);
  expect(shown('both')).toEqual(['TEST-004', 'TEST-005']);
});

it('makes each rule ready once for each version', () => {
  let made = 0;
  const plan = new RulePlan(rules, () => {
    made += 1;
    return made;
  });
  const first = rulesFor(plan, 'exchange', '1.0', undefined);
  expect(rulesFor(plan, 'exchange', '1.0', undefined)).toBe(first);
  rulesFor(plan, 'exchange', '1.0', 'JSONRPC');
  rulesFor(plan, 'exchange', '1.0', 'JSONRPC');
  rulesFor(plan, 'exchange', '0.3', 'JSONRPC');
  expect(made).toBe(3);
});
