import type { CapturedExchange } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from './examples/example.ts';
import { deliver, getCard, rest, rpc, rpcStream, unanswered, v1 } from './examples/index.ts';
import { conversationOf, conversationOfDecoded, decodedOne } from './testing/conversation.ts';

type Change = (exchange: CapturedExchange) => CapturedExchange;

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const stream = (...events: Parameters<typeof rpcStream>[0]['events']) =>
  rpcStream({ method: 'SendStreamingMessage', params: { message: v1.message('hello') }, events });

describe('the streams of a task', () => {
  const streams = (exchange: HttpExampleExchange, change?: Change) =>
    conversationOfDecoded(decodedOne(exchange, {}, change)).task('agent', 'task-1')?.streams;
  const whole = stream({ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED', { taskId: 'task-2' }));

  it('are those whose first event of any task is of it', () => {
    expect(streams(whole)).toMatchObject([
      { exchange: { id: 'x0' }, endedAtNs: 0.1e9, complete: true, timesSynthetic: false },
    ]);
    const seen = conversationOf(whole);
    expect(seen.task('agent', 'task-2')).toMatchObject({ streams: undefined });
    expect(
      conversationOf(stream({ message: v1.reply('Hi', { taskId: 'task-1' }) }), get).task('agent', 'task-1')
        ?.streams,
    ).toBeUndefined();
    const updates = stream(v1.artifactUpdate('one'), v1.statusUpdate('COMPLETED'));
    expect(streams(updates)).toHaveLength(1);
    expect(streams(get)).toBeUndefined();
  });

  it('are complete, and ended, only where the capture says so', () => {
    const open: Change = ({ response, ...exchange }) => {
      if (response === undefined) return exchange;
      const { endedAtNs: _, ...body } = response.body;
      return { ...exchange, response: { ...response, body }, end: { kind: 'open' } };
    };
    expect(streams(whole, open)).toMatchObject([{ endedAtNs: undefined, complete: false }]);
    expect(streams(whole, (exchange) => ({ ...exchange, timesSynthetic: true }))).toMatchObject([
      { timesSynthetic: true },
    ]);
  });
});

it('takes a name in a delivery for no reply', () => {
  const delivered = deliver({ message: v1.reply('Hi', { taskId: 'task-1' }) });
  expect(conversationOf(delivered).namedInReply('agent', 'task-1')).toBeUndefined();
  expect(conversationOf(delivered).context('agent', 'ctx-1')).toBeDefined();
  const empty = rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello') },
    result: { message: v1.reply('Hi', { taskId: '' }) },
  });
  expect(conversationOf(empty).namedInReply('agent', '')).toBeUndefined();
});

it('shows no task by what a client says of it', () => {
  const more = rpc({
    method: 'SendMessage',
    params: { message: v1.message('more', { taskId: 'task-1', contextId: 'ctx-1' }) },
    error: { code: -32603, message: 'No' },
  });
  expect(conversationOf(more).task('agent', 'task-1')).toBeUndefined();
  expect(conversationOf(more).context('agent', 'ctx-1')?.firstFromServer).toBeUndefined();
});

describe('an agent that was called', () => {
  const called = (...exchanges: readonly HttpExampleExchange[]) =>
    [...conversationOf(getCard(v1.card()), ...exchanges).discoveries()][0]?.called;

  it('answered with something else than an error', () => {
    expect(called(get)).toBe(true);
    expect(called()).toBe(false);
    expect(called({ ...get, from: 'another client' })).toBe(false);
    expect(called(unanswered(get))).toBe(false);
    expect(called(rest({ verb: 'GET', path: '/tasks/task-1', status: 500, responseText: '' }))).toBe(false);
  });
});

it('shows a card by an operation of its own only', () => {
  const extended = rpc({ method: 'GetExtendedAgentCard', result: v1.card({ name: 'Extended' }) });
  expect(conversationOf(extended).cards('agent')).toMatchObject([{ extended: true, pointer: '/result' }]);
  expect(conversationOf(getCard(v1.card())).cards('agent')).toMatchObject([{ extended: false, pointer: '' }]);
  expect(conversationOf(extended).cards('another agent')).toEqual([]);
  expect([...conversationOf(extended).discoveries()]).toEqual([]);
});

it('knows how late it is by the latest end, or start, of all', () => {
  const at = (startNs: number, endNs?: number) =>
    decodedOne(get, {}, ({ request, response: _, ...exchange }) => ({
      ...exchange,
      request: { ...request, atNs: startNs },
      end: endNs === undefined ? { kind: 'open' } : { kind: 'complete', atNs: endNs },
    }));
  expect(conversationOfDecoded(at(5, 90), at(7, 50)).observedUntilNs).toBe(90);
  expect(conversationOfDecoded(at(5, 9), at(70)).observedUntilNs).toBe(70);
  expect(conversationOfDecoded().observedUntilNs).toBe(0);
});

it('keeps of an exchange its place, and whether the times of its events are lost', () => {
  const ref = (change: Change) =>
    conversationOfDecoded(decodedOne(get, { cell: 'cell-1', purpose: 'probe' }, change)).task(
      'agent',
      'task-1',
    )?.observations[0]?.exchange;
  expect(ref((exchange) => exchange)).toMatchObject({
    ...{ id: 'x0', seq: 0, cell: 'cell-1', purpose: 'probe', startNs: 0, eventTimesLost: false },
    edge: { caller: 'client', callee: 'agent' },
  });
  expect(ref((exchange) => ({ ...exchange, lost: ['chunk-times'] }))?.eventTimesLost).toBe(true);
  expect(ref((exchange) => ({ ...exchange, lost: ['trailers'] }))?.eventTimesLost).toBe(false);
});

it('knows a tenant by the tasks that were shown under it, also in events', () => {
  const list = rest({ verb: 'GET', path: '/tasks?tenant=acme', response: { tasks: [v1.task('WORKING')] } });
  expect(conversationOf(list).tenantOf('agent', 'task-1')).toBe('acme');
  const replied = rpc({
    method: 'SendMessage',
    params: { tenant: 'acme', message: v1.message('hello') },
    result: { message: v1.reply('Hi', { taskId: 'task-2' }) },
  });
  expect(conversationOf(replied).tenantOf('agent', 'task-2')).toBeUndefined();
});

it('gives a delivery the task that it is of', () => {
  const [of, none] = conversationOf(deliver(v1.statusUpdate('WORKING')), deliver({ unknown: 1 })).webhooks();
  expect(of).toMatchObject({
    taskId: 'task-1',
    task: { id: 'task-1', observations: [{ channel: 'webhook' }] },
  });
  expect(none).toMatchObject({ taskId: undefined, task: undefined, config: undefined, configs: [] });
});
