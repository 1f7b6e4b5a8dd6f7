import { expect, it } from 'vitest';
import { getCard, rest, rpc, v1 } from './examples/index.ts';
import { rulebook } from './registry.ts';
import { captured } from './testing/captured.ts';
import { ruleOf } from './testing/rules.ts';
import { LoneVerification, Verification } from './verification.ts';

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const wrong = (id: string) => ruleOf({ id, scope: 'hop', check: (_, { report }) => report('wrong') });
const bookOf = (...rules: ReturnType<typeof ruleOf>[]) => rulebook({ version: '1', hash: 'sha256:0', rules });

it('gives the same result where some rules were applied elsewhere', () => {
  const [one, two] = [wrong('TEST-001'), ruleOf({ id: 'TEST-002', scope: 'task' })];
  const book = bookOf(one, two);
  const exchanges = captured([
    getCard(v1.card()),
    get,
    rest({ verb: 'GET', path: '/tasks/a', status: 404, responseText: '' }),
  ]);
  const [whole, joint, lone] = [
    new Verification(book),
    new Verification(book, {}, [two]),
    new LoneVerification([one]),
  ];
  for (const exchange of exchanges) for (const each of [whole, joint, lone]) each.add(exchange);
  const together = joint.finish([lone.judgement()]);
  expect(together).toEqual(whole.finish());
  expect(together.findings).toHaveLength(3);
  expect(together.rules.map(({ id, exercised }) => [id, exercised])).toEqual([
    ['TEST-001', 3],
    ['TEST-002', 1],
  ]);
});

it('has nothing to say of a rule that nobody applied', () => {
  const verification = new Verification(bookOf(wrong('TEST-001')), {}, []);
  for (const exchange of captured([get])) verification.add(exchange);
  expect(verification.finish()).toMatchObject({ findings: [], rules: [{ status: 'not-exercised' }] });
});

it('refuses rules that look beyond their subject where there is nothing beyond', () => {
  const asks = ruleOf({ scope: 'hop', when: (_, { conversation }) => conversation.observedUntilNs > 0 });
  const [exchange] = captured([get]);
  if (exchange === undefined) throw new Error('nothing captured');
  expect(() => new LoneVerification([asks]).add(exchange)).toThrow('a rule asks for the conversation');
});

it('blames the harness, also where no conversation is', () => {
  const lone = new LoneVerification([wrong('TEST-001')], { harness: new Set(['agent']) });
  for (const exchange of captured([get])) lone.add(exchange);
  expect(lone.judgement().kept).toMatchObject([{ finding: { party: 'harness' } }]);
});

it('tells how far it is, and shows each exchange as it was decoded', () => {
  const seen: string[] = [];
  const verification = new Verification(bookOf(wrong('TEST-001')), {
    onExchange: ({ captured: { id }, operation }) => seen.push(`${id} ${operation}`),
  });
  for (const exchange of captured([get, get])) verification.add(exchange);
  expect([verification.exchanges, verification.found]).toEqual([2, 2]);
  expect(verification.conversation.task('agent', 'task-1')?.observations).toHaveLength(2);
  expect(seen).toEqual(['x0 GetTask', 'x1 GetTask']);
  expect(verification.snapshot().exchanges).toBe(2);
});

it('decides the dialect of a call by what its agent said before', () => {
  const legacy = getCard(
    {
      name: 'Old',
      url: 'https://agent.example/a2a',
      version: '1',
      capabilities: {},
      skills: [],
      protocolVersion: '0.2.5',
    },
    { url: 'https://agent.example/.well-known/agent.json' },
  );
  const call = rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: null });
  const rules = (['0.2', '0.3'] as const).map((version, i) =>
    ruleOf({ id: `TEST-00${i}`, scope: 'exchange', spec: { [version]: '1' } }),
  );
  const exercised = (...exchanges: Parameters<typeof captured>[0]) => {
    const [whole, lone] = [new Verification(bookOf(...rules)), new LoneVerification(rules)];
    for (const exchange of captured(exchanges)) for (const each of [whole, lone]) each.add(exchange);
    const { tallies } = lone.judgement();
    const counts = whole.finish().rules.map((rule) => rule.exercised);
    expect(rules.map(({ id }) => tallies.get(id)?.exercised)).toEqual(counts);
    return counts;
  };
  expect(exercised(call)).toEqual([0, 1]);
  expect(exercised(legacy, call)).toEqual([1, 0]);
});
