import type { CaptureSource, Gap, RunId } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from './examples/example.ts';
import { deliver, getCard, rpc, rpcStream, v1 } from './examples/index.ts';
import { rulebook } from './registry.ts';
import type { Rule } from './rule.ts';
import { captured } from './testing/captured.ts';
import { ruleOf } from './testing/rules.ts';
import { verify } from './verdict.ts';
import { Verification, type VerifyOptions } from './verification.ts';

const bookOf = (...rules: readonly Rule[]) => rulebook({ version: '1', hash: 'sha256:0', rules });

function judge(
  rules: readonly Rule[],
  exchanges: readonly HttpExampleExchange[],
  options: VerifyOptions & Parameters<typeof captured>[1] = {},
) {
  const verification = new Verification(bookOf(...rules), options);
  for (const exchange of captured(exchanges, options)) verification.add(exchange);
  return verification.finish();
}

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const delivery = deliver(v1.statusUpdate('COMPLETED'));

/** Finds fault with every subject, on one side. */
const strict = (party: Rule['party'], scope: 'hop' | 'exchange', side: 'request' | 'response') =>
  ruleOf({ party, scope, check: (_, { report }) => report('wrong', { at: { side } }) });

describe('blame', () => {
  const blamed = (rule: Rule, exchange: HttpExampleExchange, options?: VerifyOptions) =>
    judge([rule], [exchange], options).findings.map(({ party, agent }) => [party, agent]);

  it('goes to the participant that had the duty', () => {
    expect(blamed(strict('client', 'hop', 'request'), get)).toEqual([['client', 'client']]);
    expect(blamed(strict('server', 'hop', 'response'), get)).toEqual([['server', 'agent']]);
    expect(blamed(strict('webhook-sender', 'hop', 'request'), delivery)).toEqual([
      ['webhook-sender', 'agent'],
    ]);
    expect(blamed(strict('webhook-receiver', 'hop', 'response'), delivery)).toEqual([
      ['webhook-receiver', 'webhook receiver'],
    ]);
  });

  it('goes to whoever sent the side that a finding points at, where the rule says so', () => {
    expect(blamed(strict('sender', 'hop', 'request'), get)).toEqual([['client', 'client']]);
    expect(blamed(strict('sender', 'hop', 'response'), get)).toEqual([['server', 'agent']]);
    expect(blamed(strict('sender', 'hop', 'request'), delivery)).toEqual([['webhook-sender', 'agent']]);
    expect(blamed(strict('sender', 'hop', 'response'), delivery)).toEqual([
      ['webhook-receiver', 'webhook receiver'],
    ]);
  });

  it('goes to the agent for its delivery, also by a rule for servers', () => {
    const rule = ruleOf({
      scope: 'task',
      check: ({ observations }, { report }) =>
        report('wrong', { ...(observations[0] && { exchange: observations[0].exchange }) }),
    });
    expect(blamed(rule, delivery)).toEqual([['server', 'agent']]);
  });

  it('goes to the gateway for what it did to a message that it hands on', () => {
    const send = (from: string, to: string, text = 'hello') =>
      rpc({
        method: 'SendMessage',
        params: { message: v1.message(text, { messageId: 'm-1' }) },
        result: { task: v1.task('WORKING') },
        from,
        to,
      });
    const hops = [send('client', 'middle'), send('middle', 'agent'), { ...get, from: 'middle' }];
    const parties = (rule: Rule) => judge([rule], hops).findings.map(({ party, agent }) => [party, agent]);
    const onHop = (caller: string, rule: Rule): Rule => ({
      ...rule,
      when: (subject) => 'captured' in subject && subject.captured.edge.caller === caller,
    });
    expect(parties(onHop('middle', strict('client', 'exchange', 'request')))).toEqual([
      ['gateway', 'middle'],
      ['client', 'middle'],
    ]);
    expect(parties(onHop('client', strict('server', 'exchange', 'response')))).toEqual([
      ['gateway', 'middle'],
    ]);
    // A fault that shows on both hops came to the gateway as it is: it stays with whoever made it.
    expect(parties(strict('client', 'exchange', 'request'))).toEqual([
      ['client', 'client'],
      ['client', 'client'],
      ['client', 'middle'],
    ]);
    expect(parties(strict('server', 'exchange', 'response'))).toEqual([
      ['server', 'agent'],
      ['server', 'agent'],
      ['server', 'agent'],
    ]);
    // Test kits number their messages: the same id alone makes no gateway.
    const apart = [send('client', 'middle'), send('middle', 'agent', 'something else')];
    expect(judge([strict('client', 'exchange', 'request')], apart).findings).toMatchObject([
      { party: 'client' },
      { party: 'client' },
    ]);
  });

  it('goes to the harness for what Plugfest itself did', () => {
    const harness = new Set(['client']);
    expect(blamed(strict('client', 'hop', 'request'), get, { harness })).toEqual([['harness', 'client']]);
    expect(blamed(strict('server', 'hop', 'response'), get, { harness })).toEqual([['server', 'agent']]);
  });
});

describe('a probe', () => {
  it('is judged by its answer only', () => {
    const rules = [
      { ...strict('client', 'exchange', 'request'), id: 'TEST-001' },
      { ...strict('server', 'exchange', 'response'), id: 'TEST-002' },
      { ...strict('sender', 'hop', 'request'), id: 'TEST-003' },
      { ...strict('sender', 'hop', 'response'), id: 'TEST-004' },
    ];
    const { findings, rules: results } = judge(rules, [get], { purpose: 'probe' });
    expect(findings.map(({ rule }) => rule)).toEqual(['TEST-002', 'TEST-004']);
    expect(results[0]).toMatchObject({ status: 'not-exercised', exercised: 0 });
  });
});

describe('a rule', () => {
  it('passes only where it was exercised', () => {
    const rules = [
      ruleOf({ id: 'TEST-001', scope: 'exchange' }),
      ruleOf({ id: 'TEST-002', scope: 'exchange', when: () => false }),
      ruleOf({ id: 'TEST-003', scope: 'exchange', when: () => 'undecidable' }),
    ];
    expect(judge(rules, [get, get]).rules).toMatchObject([
      { status: 'pass', exercised: 2 },
      { status: 'not-exercised', exercised: 0, undecidable: 0 },
      { status: 'undecidable', exercised: 0, undecidable: 2 },
    ]);
  });

  it('that throws is an error of ours, and the others go on', () => {
    const broken = () => {
      throw new Error('broken');
    };
    const rules = [
      ruleOf({ id: 'TEST-001', scope: 'exchange', when: broken }),
      ruleOf({ id: 'TEST-002', scope: 'exchange', check: broken }),
      ruleOf({ id: 'TEST-003', scope: 'exchange', check: (_, { report }) => report('unknown') }),
      { ...strict('server', 'exchange', 'response'), id: 'TEST-004' },
    ];
    const { findings, rules: results } = judge(rules, [get]);
    expect(results).toMatchObject([
      { status: 'error', error: 'broken' },
      { status: 'error', error: 'broken' },
      { status: 'error', error: expect.stringContaining('unknown') },
      { status: 'fail', violations: 1 },
    ]);
    expect(findings).toHaveLength(1);
  });

  it('has the outcome of its level, or a weaker one, and shows its worst', () => {
    const outcomes = (['MUST', 'SHOULD', 'MAY', 'INFO'] as const).map(
      (level) => judge([{ ...strict('server', 'exchange', 'response'), level }], [get]).findings[0]?.outcome,
    );
    expect(outcomes).toEqual(['fail', 'warn', 'info', 'info']);
    let count = 0;
    const mixed = ruleOf({
      scope: 'exchange',
      check: (_, { report }) => report('wrong', count++ === 0 ? { outcome: 'warn' } : { outcome: 'info' }),
    });
    expect(judge([mixed], [get, get]).rules).toMatchObject([{ status: 'warn', violations: 2 }]);
  });

  it('is applied to its versions and bindings, cards and deliveries to any binding', () => {
    const exercised = (rule: Rule, exchange: HttpExampleExchange) =>
      judge([rule], [exchange]).rules[0]?.exercised;
    expect(exercised(ruleOf({ scope: 'exchange', spec: { '0.3': '1' } }), get)).toBe(0);
    expect(exercised(ruleOf({ scope: 'exchange', bindings: ['HTTP+JSON'] }), get)).toBe(0);
    expect(exercised(ruleOf({ scope: 'hop', bindings: ['JSONRPC'] }), delivery)).toBe(1);
    expect(exercised(ruleOf({ scope: 'hop', bindings: ['JSONRPC'] }), getCard(v1.card()))).toBe(1);
  });

  it('sees each kind of subject', () => {
    const stream = rpcStream({
      method: 'SendStreamingMessage',
      params: { message: v1.message('hello') },
      events: [{ task: v1.task('COMPLETED') }],
    });
    const scopes = ['exchange', 'hop', 'stream', 'task', 'context', 'card', 'webhook', 'discovery'] as const;
    const rules = scopes.map((scope, i) => ruleOf({ id: `TEST-00${i}`, scope }));
    const results = judge(rules, [getCard(v1.card()), stream, delivery]).rules;
    expect(results.map(({ exercised }) => exercised)).toEqual([1, 3, 1, 1, 1, 1, 1, 1]);
  });

  it('that judges a whole task names the exchange that shows the fault', () => {
    const rule = ruleOf({
      scope: 'task',
      check: ({ observations }, { report }) => {
        const last = observations.at(-1);
        if (last) report('wrong', { exchange: last.exchange, data: { what: 'the end' } });
      },
    });
    expect(judge([rule], [get, get], { cell: 'cell-1' }).findings).toMatchObject([
      { exchange: 'x1', cell: 'cell-1', message: 'Something is wrong: the end', fix: 'Mend it.' },
    ]);
  });
});

it('lists findings in the order of their evidence', () => {
  const rule = ruleOf({
    scope: 'exchange',
    party: 'sender',
    check: (_, { report }) => {
      report('wrong', { at: { side: 'response', event: 10 } });
      report('wrong', { at: { side: 'response', event: 9 } });
      report('wrong', { at: { side: 'request' } });
    },
  });
  const places = judge([rule], [get, get]).findings.map(({ exchange, at }) => [
    exchange,
    at?.side,
    at?.event,
  ]);
  const each = (id: string) => [
    [id, 'request', undefined],
    [id, 'response', 9],
    [id, 'response', 10],
  ];
  expect(places).toEqual([...each('x0'), ...each('x1')]);
});

describe('findings without end', () => {
  const many = Array.from({ length: 250 }, () => get);
  const twice = ruleOf({
    scope: 'exchange',
    party: 'sender',
    check: (_, { report }) => {
      report('wrong', { at: { side: 'request' } });
      report('wrong', { at: { side: 'response' }, outcome: 'warn' });
    },
  });

  it('of a rule against an agent are listed up to the hundredth, and counted from there', () => {
    const { findings, omitted, rules } = judge([twice], many);
    expect(findings).toHaveLength(200);
    expect(findings.at(-1)).toMatchObject({ exchange: 'x99' });
    expect(omitted).toEqual([
      { rule: 'TEST-001', level: 'MUST', outcome: 'warn', party: 'server', agent: 'agent', count: 150 },
      { rule: 'TEST-001', level: 'MUST', outcome: 'fail', party: 'client', agent: 'client', count: 150 },
    ]);
    expect(rules).toMatchObject([{ status: 'fail', exercised: 250, violations: 500 }]);
  });

  it('are a list of their own in each cell', () => {
    const verification = new Verification(bookOf(twice));
    for (const cell of ['one', 'two'])
      for (const exchange of captured(many.slice(0, 101), { cell })) verification.add(exchange);
    const { findings, omitted } = verification.finish();
    expect(findings).toHaveLength(400);
    expect(omitted.map(({ cell, agent, count }) => [cell, agent, count])).toEqual([
      ['one', 'agent', 1],
      ['two', 'agent', 1],
      ['one', 'client', 1],
      ['two', 'client', 1],
    ]);
  });

  it('go to a gateway that the capture names, also where they are counted only', () => {
    const { omitted } = judge([strict('server', 'exchange', 'response')], many, {
      gateways: new Set(['agent']),
    });
    expect(omitted).toMatchObject([{ party: 'gateway', count: 150 }]);
  });
});

it('tells at any time what the exchanges so far have shown', () => {
  const whole = ruleOf({ id: 'TEST-002', scope: 'task', check: (_, { report }) => report('wrong') });
  const verification = new Verification(bookOf(strict('server', 'exchange', 'response'), whole));
  const [first, second] = captured([get, get]);
  if (first === undefined || second === undefined) throw new Error('two exchanges are needed');
  verification.add(first);
  expect(verification.snapshot()).toMatchObject({
    findings: [{ exchange: 'x0' }],
    rules: [
      { id: 'TEST-001', violations: 1 },
      { id: 'TEST-002', status: 'not-exercised' },
    ],
  });
  verification.add(second);
  expect(verification.snapshot().findings).toHaveLength(2);
  expect(verification.finish().findings).toHaveLength(3);
});

describe('verify', () => {
  const source = (gaps: readonly Gap[]): CaptureSource => ({
    info: {
      run: 'run' as RunId,
      root: 'sha256:1',
      exchanges: 2,
      startedAt: '2026-01-01T00:00:00.000Z',
      cleanShutdown: true,
    },
    participants: () => [{ name: 'client', kind: 'harness' }],
    edges: () => [],
    exchanges: () => captured([get, get]),
    gaps: () => gaps,
    notes: () => [],
    close: () => {},
  });

  it('takes the harness from the participants, and the losses from the capture', () => {
    const absence = ruleOf({
      id: 'TEST-002',
      scope: 'task',
      when: (_, { conversation }) => (conversation.gapBetween(0, 100) ? 'undecidable' : true),
    });
    const book = bookOf(strict('client', 'exchange', 'request'), absence);
    const verdict = verify(source([{ atNs: 50, reason: 'queue-full' }]), book);
    expect(verdict).toMatchObject({
      capture: { root: 'sha256:1', exchanges: 2, gaps: 1 },
      rulebook: { version: '1', hash: 'sha256:0', rules: 2 },
      summary: { fail: 2, undecidable: 1, error: 0 },
      findings: [{ party: 'harness' }, { party: 'harness' }],
    });
    expect(verify(source([]), book).summary).toMatchObject({ pass: 1, undecidable: 0 });
    expect(verdict).not.toHaveProperty('omitted');
  });
});
