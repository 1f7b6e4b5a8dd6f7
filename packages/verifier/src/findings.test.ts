import type { Finding, OmittedFindings } from '@plugfest/model';
import { exchangeId } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { byEvidence, byGroup, Findings } from './findings.ts';

const finding = (more: Partial<Finding> = {}): Finding => ({
  ...{ rule: 'TEST-001', level: 'MUST', outcome: 'fail', party: 'server', agent: 'hotel', message: 'wrong' },
  spec: { version: '1.0', section: '1' },
  exchange: exchangeId('x1'),
  ...more,
});

describe('the order of findings', () => {
  const sorted = (...findings: readonly (readonly [seq: number, more: Partial<Finding>])[]) => {
    const placed = findings.map(([seq, more], index) => ({ seq, finding: finding(more), index }));
    const there = placed.toSorted(byEvidence).map(({ index }) => index);
    const back = placed
      .toReversed()
      .toSorted(byEvidence)
      .map(({ index }) => index);
    expect(back).toEqual(there);
    return there;
  };

  it('is that of the exchanges, and of requests before responses', () => {
    expect(sorted([20, {}], [9, {}])).toEqual([1, 0]);
    expect(sorted([9, { at: { side: 'response' } }], [9, { at: { side: 'request' } }])).toEqual([1, 0]);
    expect(sorted([9, {}], [9, { at: { side: 'request' } }])).toEqual([1, 0]);
  });

  it('is that of the events of a stream, and first what is of none', () => {
    const at = (event?: number) =>
      ({ at: { side: 'response', ...(event === undefined ? {} : { event }) } }) as const;
    expect(sorted([9, at(10)], [9, at(9)], [9, at(0)], [9, at()])).toEqual([3, 2, 1, 0]);
  });

  it('is that of rules, places and messages where all else is the same', () => {
    expect(sorted([9, { rule: 'TEST-002' }], [9, { rule: 'TEST-001', message: 'x' }])).toEqual([1, 0]);
    const at = (pointer?: string) =>
      ({ at: { side: 'request', ...(pointer === undefined ? {} : { pointer }) } }) as const;
    expect(sorted([9, at('/b')], [9, at('/a')], [9, at()])).toEqual([2, 1, 0]);
    expect(sorted([9, { message: 'b' }], [9, { message: 'a' }])).toEqual([1, 0]);
    const [one, same] = [
      { seq: 9, finding: finding() },
      { seq: 9, finding: finding() },
    ];
    expect(byEvidence(one, same)).toBe(0);
  });
});

it('orders groups by rule, agent, cell, party and outcome', () => {
  const group = (more: Partial<OmittedFindings>): OmittedFindings => ({
    ...{ rule: 'B-001', level: 'MUST', outcome: 'fail', party: 'server', agent: 'b', cell: 'b', count: 1 },
    ...more,
  });
  const inOrder = [
    group({ rule: 'A-001', agent: 'z', cell: 'z', party: 'webhook-sender', outcome: 'warn' }),
    group({ agent: 'a', cell: 'z', party: 'webhook-sender', outcome: 'warn' }),
    group({ cell: 'a', party: 'webhook-sender', outcome: 'warn' }),
    group({ party: 'client', outcome: 'warn' }),
    group({}),
    group({ outcome: 'warn' }),
  ];
  expect(inOrder.toReversed().sort(byGroup)).toEqual(inOrder);
  expect(byGroup(group({}), group({ count: 7 }))).toBe(0);
  const { cell: _, ...outside } = group({});
  expect([group({}), outside].sort(byGroup)).toEqual([outside, group({})]);
});

it('counts beyond a hundred of each group by itself', () => {
  const all = new Findings();
  const groups: readonly Partial<Finding>[] = [
    {},
    { rule: 'TEST-002' },
    { outcome: 'warn' },
    { party: 'client' },
    { agent: 'flight' },
    { cell: 'cell-1' },
  ];
  for (const more of groups) for (let i = 0; i < 102; i += 1) all.add(finding(more), i);
  const { kept, omitted } = all.get();
  expect([all.count, kept.length]).toEqual([612, 600]);
  const { rule, level, outcome, party, agent } = finding();
  expect(omitted).toEqual(groups.map((more) => ({ rule, level, outcome, party, agent, ...more, count: 2 })));
  expect(omitted[0]).not.toHaveProperty('cell');
});
