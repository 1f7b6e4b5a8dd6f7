import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from '../examples/example.ts';
import { rpc, rpcStream, unanswered, v1 } from '../examples/index.ts';
import { conversationOf, decodedOne } from '../testing/conversation.ts';
import { Calls } from './calls.ts';

type More = Partial<Parameters<typeof rpc>[0]>;

const get = (more: More = {}) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING'), ...more });
const send = (more: More = {}) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello') },
    result: { task: v1.task('WORKING') },
    ...more,
  });
const stream = (headers: Record<string, string> = {}) =>
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [{ task: v1.task('COMPLETED') }],
    headers,
  });
const failed = { error: { code: -32603, message: 'No' } };
const traced = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const bearer = { Authorization: 'Bearer t-1' };

const record = (...exchanges: readonly HttpExampleExchange[]) =>
  conversationOf(...exchanges).callsOf('client', 'agent');

describe('what a caller did towards an agent', () => {
  it('is nothing at first, and nothing towards others', () => {
    const nothing = { untraced: false, authorized: false, hint: undefined };
    expect(record()).toEqual(nothing);
    expect(record(get())).toEqual(nothing);
    expect(conversationOf(send({ headers: bearer })).callsOf('client', 'another agent')).toEqual(nothing);
    expect(conversationOf(send({ headers: bearer })).callsOf('another client', 'agent')).toEqual(nothing);
  });

  it('tells whether a message went out without a trace, once for ever', () => {
    expect(record(send()).untraced).toBe(true);
    expect(record(stream()).untraced).toBe(true);
    expect(record(send({ headers: traced })).untraced).toBe(false);
    expect(record(stream(traced)).untraced).toBe(false);
    expect(record(send(), send({ headers: traced })).untraced).toBe(true);
  });

  it('tells whether credentials of its were accepted, once for ever', () => {
    expect(record(get({ headers: bearer })).authorized).toBe(true);
    expect(record(get({ headers: bearer, ...failed })).authorized).toBe(false);
    expect(record(get({ headers: bearer, status: 401 })).authorized).toBe(false);
    expect(record(unanswered(get({ headers: bearer }))).authorized).toBe(false);
    expect(record(get({ headers: bearer }), get(), get({ headers: bearer, status: 401 })).authorized).toBe(
      true,
    );
  });
});

describe('the hint of an agent to stay away', () => {
  const away = (after: string | undefined, status = 429) =>
    get({ status, responseText: '', responseHeaders: { 'Retry-After': after } });

  it('counts from the answer that gave it', () => {
    expect(record(away('2')).hint).toEqual({ atNs: 0.1e9, untilNs: 2.1e9 });
    expect(record(away(' 30 ', 503)).hint).toEqual({ atNs: 0.1e9, untilNs: 30.1e9 });
    expect(record(away('999999')).hint?.untilNs).toBe(999_999.1e9);
    expect(record(away('2'), away('5')).hint).toEqual({ atNs: 1.1e9, untilNs: 6.1e9 });
  });

  it('is in whole seconds, and in an answer that says why', () => {
    for (const other of ['1.5', '-1', 'soon', '', '1000000', 'x1', '1x', undefined])
      expect(record(away(other)).hint).toBeUndefined();
    expect(record(away('2', 500)).hint).toBeUndefined();
    expect(record(away('2', 200)).hint).toBeUndefined();
  });

  it('holds until the agent serves the caller again', () => {
    expect(record(away('2'), get()).hint).toBeUndefined();
    for (const other of [get(failed), get({ status: 500 }), unanswered(get()), away(undefined)])
      expect(record(away('2'), other).hint?.untilNs).toBe(2.1e9);
  });
});

describe('the uses of a credential', () => {
  const between = (from: string, to: string) => get({ from, to, headers: bearer });

  it('are each pair of caller and agent once, in order of first sight', () => {
    const conversation = conversationOf(
      between('a', 'x'),
      between('a', 'x'),
      between('a', 'y'),
      between('b', 'x'),
      between('b', 'x'),
      get({ headers: { Authorization: 'Bearer t-2' } }),
      get(),
    );
    expect(conversation.usesOf('Bearer t-1')).toEqual([
      { caller: 'a', agent: 'x' },
      { caller: 'a', agent: 'y' },
      { caller: 'b', agent: 'x' },
    ]);
    expect(conversation.usesOf('Bearer t-2')).toHaveLength(1);
    expect(conversation.usesOf('Bearer t-3')).toEqual([]);
    expect(conversation.usesOf('')).toEqual([]);
  });

  it('are kept of a bounded number of credentials, the first ones', () => {
    const calls = new Calls();
    const exchange = decodedOne(get());
    const { captured } = exchange;
    const add = (credential: string, caller = 'client') => {
      const headers = ['Authorization', credential];
      const edge = { ...captured.edge, caller };
      calls.add(
        { ...exchange, captured: { ...captured, edge, request: { ...captured.request, headers } } },
        true,
      );
    };
    for (let i = 0; i < 8193; i += 1) add(`t-${i}`);
    add('t-0', 'another client');
    expect(calls.usesOf('t-8191')).toHaveLength(1);
    expect(calls.usesOf('t-8192')).toEqual([]);
    expect(calls.usesOf('t-0')).toHaveLength(2);
  });
});
