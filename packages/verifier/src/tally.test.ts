import { expect, it } from 'vitest';
import { addViolation, emptyTally, resultOf } from './tally.ts';

const statusOf = (more: Partial<ReturnType<typeof emptyTally>>) =>
  resultOf('TEST-001', { ...emptyTally(), ...more }).status;

it('passes a rule only where it was exercised and nothing was wrong', () => {
  expect(statusOf({})).toBe('not-exercised');
  expect(statusOf({ exercised: 1 })).toBe('pass');
  expect(statusOf({ exercised: 1, undecidable: 1 })).toBe('pass');
  expect(statusOf({ undecidable: 1 })).toBe('undecidable');
  expect(statusOf({ exercised: 1, worst: 'info' })).toBe('info');
  expect(statusOf({ exercised: 1, worst: 'fail', error: 'broken' })).toBe('error');
});

it('keeps the worst outcome, whatever came after it', () => {
  const tally = emptyTally();
  const worst = (['info', 'warn', 'info', 'fail', 'warn', 'fail'] as const).map((outcome) => {
    addViolation(tally, outcome);
    return tally.worst;
  });
  expect(worst).toEqual(['info', 'warn', 'warn', 'fail', 'fail', 'fail']);
  expect(resultOf('TEST-001', tally)).toEqual({
    ...{ id: 'TEST-001', status: 'fail', exercised: 0, violations: 6, undecidable: 0 },
  });
  expect(resultOf('TEST-001', tally)).not.toHaveProperty('error');
  expect(resultOf('TEST-001', { ...tally, error: 'broken' })).toMatchObject({
    error: 'broken',
    violations: 6,
  });
});
