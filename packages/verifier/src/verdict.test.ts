import type { CaptureSource, Gap, ParticipantKind, RunId } from '@plugfest/model';
import { expect, it } from 'vitest';
import { rpc, v1 } from './examples/index.ts';
import { rulebook, selectRules } from './registry.ts';
import { captured } from './testing/captured.ts';
import { ruleOf } from './testing/rules.ts';
import { factsOf, verify } from './verdict.ts';

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });

function source(
  exchanges: number,
  participants: Readonly<Record<string, ParticipantKind>> = {},
  gaps: readonly Gap[] = [],
): CaptureSource {
  return {
    info: {
      ...{ run: 'run' as RunId, root: 'sha256:1', exchanges, cleanShutdown: true },
      startedAt: '2026-01-01T00:00:00.000Z',
    },
    participants: () => Object.entries(participants).map(([name, kind]) => ({ name, kind })),
    edges: () => [],
    exchanges: () => captured(Array.from({ length: exchanges }, () => get)),
    gaps: () => gaps,
    notes: () => [],
    close: () => {},
  };
}

const broken = () => {
  throw new Error('broken');
};
const book = rulebook({
  version: '7',
  hash: 'sha256:0',
  rules: [
    ruleOf({ id: 'TEST-001', scope: 'exchange', check: (_, { report }) => report('wrong') }),
    ruleOf({ id: 'TEST-002', scope: 'exchange', level: 'SHOULD', check: (_, { report }) => report('wrong') }),
    ruleOf({ id: 'TEST-003', scope: 'exchange', level: 'MAY', check: (_, { report }) => report('wrong') }),
    ruleOf({ id: 'TEST-004', scope: 'exchange' }),
    ruleOf({ id: 'TEST-005', scope: 'exchange', when: () => false }),
    ruleOf({ id: 'TEST-006', scope: 'exchange', when: () => 'undecidable' }),
    ruleOf({ id: 'TEST-007', scope: 'exchange', when: broken }),
    ruleOf({ id: 'TEST-008', scope: 'stream' }),
  ],
});

it('counts findings by outcome, and rules by status', () => {
  const verdict = verify(source(3), book);
  expect(verdict).toMatchObject({
    schema: 'plugfest.verdict/1',
    capture: { root: 'sha256:1', exchanges: 3, gaps: 0 },
    rulebook: { version: '7', hash: 'sha256:0', rules: 8 },
    summary: {
      ...{ fail: 3, warn: 3, info: 3, pass: 1, notExercised: 2, undecidable: 1, error: 1, expected: 0 },
    },
    staleExpectations: [],
  });
  expect(verdict.rulebook).not.toHaveProperty('selection');
  expect(verdict).not.toHaveProperty('omitted');
  expect(verdict.rules.map(({ id }) => id)).toEqual(book.rules.map(({ id }) => id));
});

it('counts the findings that it does not list', () => {
  const verdict = verify(source(107), book);
  expect(verdict.summary).toMatchObject({ fail: 107, warn: 107, info: 107 });
  expect(verdict.findings).toHaveLength(300);
  expect(verdict.omitted?.map(({ outcome, count }) => [outcome, count])).toEqual([
    ['fail', 7],
    ['warn', 7],
    ['info', 7],
  ]);
});

it('says which rules were selected', () => {
  const verdict = verify(source(1), selectRules(book, ['TEST-00{1,2,3}']));
  expect(verdict.rulebook).toMatchObject({ hash: 'sha256:0', rules: 3, selection: ['TEST-00{1,2,3}'] });
});

it('takes the names of the harness and of gateways from the capture, and what it lost', () => {
  const gaps: readonly Gap[] = [{ atNs: 5, reason: 'queue-full' }];
  const participants = { agent: 'gateway', client: 'harness', other: 'agent' } as const;
  expect(factsOf(source(1, participants, gaps))).toEqual({
    harness: new Set(['client']),
    gateways: new Set(['agent']),
    gaps,
  });
  const verdict = verify(source(1, participants, gaps), book);
  expect(verdict.capture.gaps).toBe(1);
  expect(verdict.findings[0]).toMatchObject({ party: 'gateway', agent: 'agent' });
  expect(verify(source(1, participants), book, { gateways: new Set() }).findings[0]?.party).toBe('server');
});
