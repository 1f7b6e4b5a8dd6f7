import type { RuleDefinition, Scope } from '../rule.ts';
import { defineRule } from '../rule.ts';

/** A rule that is complete, and judges nothing unless it is told what. */
export const ruleOf = <S extends Scope>(
  definition: Pick<RuleDefinition<S>, 'scope'> & Partial<RuleDefinition<S>>,
) =>
  defineRule<S, string>({
    id: 'TEST-001',
    level: 'MUST',
    party: 'server',
    summary: 'Nothing is wrong.',
    spec: { '0.3': '1', '1.0': '1' },
    bindings: ['JSONRPC', 'HTTP+JSON'],
    messages: { wrong: 'Something is wrong: {what}' },
    why: 'It would break.',
    fix: 'Mend it.',
    examples: { good: [], skip: [], bad: [] },
    when: () => true,
    check: () => {},
    ...definition,
  });
