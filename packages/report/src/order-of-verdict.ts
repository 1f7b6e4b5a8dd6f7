import type { Verdict } from '@plugfest/model';
import type { Order } from './ordered.ts';

/** `plugfest.verdict/1`. */
export const verdictOrder: Order<Verdict> = {
  schema: true,
  capture: { root: true, exchanges: true, gaps: true },
  rulebook: { version: true, hash: true, rules: true, selection: true },
  keys: true,
  summary: {
    fail: true,
    warn: true,
    info: true,
    pass: true,
    notExercised: true,
    undecidable: true,
    error: true,
    expected: true,
  },
  findings: {
    rule: true,
    level: true,
    outcome: true,
    party: true,
    agent: true,
    message: true,
    expected: true,
    actual: true,
    fix: true,
    spec: { version: true, section: true },
    exchange: true,
    at: { side: true, event: true, pointer: true, header: true },
    cell: true,
    expectedBecause: true,
  },
  omitted: {
    rule: true,
    level: true,
    outcome: true,
    party: true,
    agent: true,
    cell: true,
    count: true,
    expectedBecause: true,
  },
  rules: { id: true, status: true, exercised: true, violations: true, undecidable: true, error: true },
  staleExpectations: { rule: true, agent: true, party: true, scenario: true, sometimes: true, reason: true },
};
