import { decodeExchange } from '@plugfest/a2a';
import type { CapturedExchange, Change } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import { rpc, v1 } from './examples/index.ts';
import { Judge } from './judge.ts';
import type { RuleDefinition } from './rule.ts';
import { captured } from './testing/captured.ts';
import { ruleOf } from './testing/rules.ts';

type Party = RuleDefinition<'hop'>['party'];

const three = captured(
  [1, 2, 3].map((n) => rpc({ method: 'GetTask', params: { id: `task-${n}` }, result: v1.task('WORKING') })),
  { cell: 'cell-1' },
);

const faulty = (change: Partial<Change> = {}) => ({
  changes: [{ side: 'response', place: 'body', reason: 'fault-cut', ...change } as Change],
});

/** The exchanges that a rule which finds something everywhere blames a party for, and how often it was undecidable. */
function blamed(
  party: Party,
  side: 'request' | 'response' | undefined,
  second: Partial<CapturedExchange>,
  third: Partial<CapturedExchange> = {},
) {
  const rule = ruleOf({
    scope: 'hop',
    party,
    messages: { wrong: 'Something is wrong.' },
    check: (_, { report }) => report('wrong', side === undefined ? {} : { at: { side } }),
  });
  const judge = new Judge([rule], new Conversation(), undefined);
  for (const [index, more] of [{}, second, third].entries()) {
    const [exchange] = three.slice(index);
    if (exchange !== undefined) judge.exchange(decodeExchange({ ...exchange, ...more }));
  }
  const { kept, tallies } = judge.judgement();
  return [
    kept.map(({ finding }) => finding.exchange).join(' '),
    tallies.get(rule.id)?.exercised,
    tallies.get(rule.id)?.undecidable,
  ];
}

describe('a fault that was played', () => {
  it('between callee and client leaves the server to be judged by what it sent', () => {
    expect(blamed('server', 'response', faulty())).toEqual(['x0 x1 x2', 3, 0]);
  });

  it('leaves the client to be judged by what it sent before, and by nothing after', () => {
    expect(blamed('client', 'request', faulty())).toEqual(['x0 x1', 2, 1]);
    expect(blamed('client', undefined, faulty())).toEqual(['x0', 1, 2]);
  });

  it('of the network ends an exchange without a change', () => {
    expect(blamed('client', 'request', { end: { kind: 'fault' } })).toEqual(['x0 x1', 2, 1]);
  });

  it('between client and callee excuses both: the answer is to another request', () => {
    const asked = faulty({ side: 'request' });
    expect(blamed('server', 'response', asked)).toEqual(['x0', 1, 2]);
    expect(blamed('client', 'request', asked)).toEqual(['x0 x1', 2, 1]);
  });

  it('excuses nobody in other cells, or towards others', () => {
    const elsewhere = { cell: 'cell-2' as CapturedExchange['cell'] & string };
    expect(blamed('client', 'request', faulty(), elsewhere)).toEqual(['x0 x1 x2', 3, 0]);
    const [first] = three;
    const other = first && { edge: { ...first.edge, callee: 'another' } };
    expect(blamed('client', 'request', faulty(), other)).toEqual(['x0 x1 x2', 3, 0]);
  });

  it('is none where the proxy only did its work', () => {
    expect(blamed('client', 'request', faulty({ reason: 'card-url' }))).toEqual(['x0 x1 x2', 3, 0]);
  });
});
