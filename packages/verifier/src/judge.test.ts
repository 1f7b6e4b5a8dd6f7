import { type DecodedExchange, decodeExchange } from '@plugfest/a2a';
import type { CapturedExchange } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { Conversation } from './conversation.ts';
import { deliver, getCard, rpc, rpcStream, v1 } from './examples/index.ts';
import { Judge, NoConversation, topicOf } from './judge.ts';
import type { Report, Rule } from './rule.ts';
import { captured } from './testing/captured.ts';
import { decodedOne } from './testing/conversation.ts';
import { ruleOf } from './testing/rules.ts';

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });

/** What comes of one rule. */
function judged(rule: Rule, ...exchanges: readonly DecodedExchange[]) {
  const conversation = new Conversation();
  const judge = new Judge([rule], conversation, undefined);
  for (const exchange of exchanges) {
    judge.exchange(exchange);
    conversation.add(exchange);
  }
  judge.whole(conversation);
  const { tallies, kept } = judge.judgement();
  return { tally: tallies.get(rule.id), findings: kept.map(({ finding }) => finding), found: judge.found };
}

type Side = 'request' | 'response';

/** An exchange of which some sides were not stored whole. */
const cut = (...sides: readonly Side[]): DecodedExchange => {
  const shortened = (body: CapturedExchange['request']['body'], isCut: boolean) =>
    isCut ? { ...body, chunks: [], storedBytes: 5 } : body;
  return decodedOne(get, {}, ({ request, response, ...exchange }) => ({
    ...exchange,
    request: { ...request, body: shortened(request.body, sides.includes('request')) },
    ...(response && {
      response: { ...response, body: shortened(response.body, sides.includes('response')) },
    }),
  }));
};

describe('an exchange that was not stored whole', () => {
  const outcome = (party: Rule['party'], isWrong: boolean, ...sides: readonly Side[]) => {
    const rule = ruleOf({
      scope: 'hop',
      party,
      check: (_, { report }) => {
        if (isWrong) report('wrong');
      },
    });
    const { tally } = judged(rule, cut(...sides));
    return [tally?.exercised, tally?.undecidable];
  };

  it('lets no rule pass that may have missed something', () => {
    expect(outcome('server', false)).toEqual([1, 0]);
    expect(outcome('server', false, 'response')).toEqual([0, 1]);
  });

  it('lets a rule for clients pass where what they sent is there', () => {
    expect(outcome('client', false, 'response')).toEqual([1, 0]);
    expect(outcome('sender', false, 'response')).toEqual([0, 1]);
  });

  it('shows a fault all the same', () => {
    expect(outcome('server', true, 'response')).toEqual([1, 0]);
    expect(outcome('client', true, 'response')).toEqual([1, 0]);
  });

  it('proves nothing of a request that is not there', () => {
    const rule = ruleOf({ scope: 'hop', party: 'client' });
    const [delivery] = captured([deliver(v1.statusUpdate('WORKING'))]);
    if (delivery === undefined) throw new Error('nothing captured');
    const { body } = delivery.request;
    const partial = { ...delivery.request, body: { ...body, chunks: [], storedBytes: 5 } };
    const { tally } = judged(rule, decodeExchange({ ...delivery, request: partial }));
    expect([tally?.exercised, tally?.undecidable]).toEqual([0, 1]);
  });
});

describe('a finding', () => {
  const finding = (report: Report, more: Parameters<typeof decodedOne>[1] = {}) => {
    const rule = ruleOf({ scope: 'exchange', check: (_, context) => context.report('wrong', report) });
    const { findings, found } = judged(rule, decodedOne(get, more));
    expect(found).toBe(1);
    return findings[0];
  };

  it('says no more than it was told', () => {
    expect(finding({})).toEqual({
      ...{ rule: 'TEST-001', level: 'MUST', outcome: 'fail', party: 'server', agent: 'agent' },
      ...{ message: 'Something is wrong: {what}', fix: 'Mend it.', spec: { version: '1.0', section: '1' } },
      exchange: 'x0',
    });
    for (const name of ['cell', 'at', 'expected', 'actual']) expect(finding({})).not.toHaveProperty(name);
  });

  it('says what was expected and found, where, and in which cell', () => {
    const at = { side: 'response', pointer: '/result' } as const;
    const report = { at, expected: 'one', actual: null, data: { what: 7 }, outcome: 'info' } as const;
    expect(finding(report, { cell: 'cell-1' })).toMatchObject({
      ...{ expected: 'one', actual: 'null', at, cell: 'cell-1', outcome: 'info' },
      message: 'Something is wrong: 7',
    });
  });
});

it('calls it an error of ours where a rule reports after it was asked', () => {
  let late: (() => void) | undefined;
  const rule = ruleOf({
    scope: 'exchange',
    check: (_, { report }) => {
      late = () => report('wrong');
    },
  });
  judged(rule, decodedOne(get));
  expect(() => late?.()).toThrow('rule TEST-001 reports outside of its check');
});

it('keeps the first error of a rule that throws again and again, whatever it throws', () => {
  let count = 0;
  const broken = (make: (count: number) => unknown) =>
    ruleOf({
      scope: 'exchange',
      when: () => {
        count += 1;
        throw make(count);
      },
    });
  const errorOf = (make: (count: number) => unknown) =>
    judged(broken(make), decodedOne(get), decodedOne(get)).tally?.error;
  expect(errorOf((i) => new Error(`broken ${i}`))).toBe('broken 1');
  expect(errorOf((i) => `text ${i}`)).toBe('text 3');
});

it('stops where a rule asks for a conversation that there is not', () => {
  const rule = ruleOf({ scope: 'exchange', when: (_, { conversation }) => conversation.observedUntilNs > 0 });
  const judge = new Judge([rule], undefined, undefined);
  expect(() => judge.exchange(decodedOne(get))).toThrow('a rule asks for the conversation');
  let thrown: unknown;
  try {
    judge.exchange(decodedOne(get));
  } catch (problem) {
    thrown = problem;
  }
  expect(thrown instanceof NoConversation).toBe(true);
});

it('judges nothing that means nothing in A2A', () => {
  const other = { ...get, request: { ...get.request, method: 'GET', url: 'https://agent.example/metrics' } };
  const { tally } = judged(ruleOf({ scope: 'hop' }), decodedOne(other));
  expect(tally?.exercised).toBe(0);
});

it('tells what an exchange is about', () => {
  const stream = rpcStream({ method: 'SubscribeToTask', params: { id: 'task-1' }, events: [] });
  const other = { ...get, request: { ...get.request, method: 'GET', url: 'https://agent.example/metrics' } };
  const all = [
    get,
    stream,
    rpc({ method: 'Unheard' }),
    getCard(v1.card()),
    deliver(v1.statusUpdate('WORKING')),
    other,
  ];
  expect(all.map((exchange) => topicOf(decodedOne(exchange)))).toEqual([
    ...['GetTask', 'SubscribeToTask', undefined, 'card', 'webhook', undefined],
  ]);
});

describe('subjects of the whole capture', () => {
  it('are judged by the version that they came in', () => {
    const exercised = (
      scope: Parameters<typeof ruleOf>[0]['scope'],
      ...exchanges: readonly DecodedExchange[]
    ) =>
      (['0.3', '1.0'] as const).map(
        (version) => judged(ruleOf({ scope, spec: { [version]: '1' } }), ...exchanges).tally?.exercised,
      );
    const call = decodedOne(get);
    const card = decodedOne(getCard(v1.card()));
    expect(exercised('task', call)).toEqual([0, 1]);
    expect(exercised('context', call)).toEqual([0, 1]);
    expect(exercised('discovery', card)).toEqual([0, 1]);
    expect(exercised('shown-card', card)).toEqual([0, 1]);
    expect(exercised('card', card)).toEqual([0, 1]);
    expect(exercised('webhook', decodedOne(deliver(v1.statusUpdate('WORKING'))))).toEqual([0, 1]);
    // Nobody showed a card, so it is not known by which version the search for it is judged.
    expect(exercised('discovery', decodedOne(getCard(null, { status: 404, text: '' })))).toEqual([0, 0]);
  });
});
