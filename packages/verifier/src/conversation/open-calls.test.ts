import type { ConnectionId } from '@plugfest/model';
import { expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import { rpc, v1 } from '../examples/index.ts';
import { secondNs } from '../testing/captured.ts';
import { decodedOne } from '../testing/conversation.ts';

interface Call {
  readonly connection?: string;
  readonly id?: number;
  readonly startNs?: number;
  readonly endNs?: number | undefined;
  readonly httpVersion?: string;
  /** The whole request body, where it is not that of a call with an id. */
  readonly requestBody?: Record<string, string>;
}

function call({ connection, id = 1, startNs = 0, httpVersion = '2.0', requestBody, ...more }: Call) {
  const get = rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    id,
    result: v1.task('WORKING'),
    ...(requestBody === undefined ? {} : { requestBody }),
  });
  const endNs = 'endNs' in more ? more.endNs : startNs + secondNs;
  return decodedOne(get, {}, ({ request, ...exchange }) => ({
    ...exchange,
    ...(connection === undefined ? {} : { connection: connection as ConnectionId }),
    request: { ...request, atNs: startNs, httpVersion },
    end: endNs === undefined ? { kind: 'open' } : { kind: 'complete', atNs: endNs },
  }));
}

/** Ids of the calls that were open when a call went out on connection `c`. */
function beside(startNs: number, ...calls: readonly Call[]): readonly unknown[] {
  const conversation = new Conversation();
  for (const each of calls) conversation.add(call(each));
  return conversation.callsBeside(call({ connection: 'c', startNs })).map(({ id }) => id);
}

it('knows the calls that were open on a connection when a request went out', () => {
  expect(beside(5, { connection: 'c', id: 1, endNs: 6 }, { connection: 'c', id: 2, endNs: 5 })).toEqual([1]);
  expect(beside(5, { connection: 'c', id: 3, endNs: undefined })).toEqual([3]);
  expect(beside(5, { connection: 'd', id: 4, endNs: 9 })).toEqual([]);
  expect(beside(5, { id: 5, endNs: 9 })).toEqual([]);
  expect(beside(5)).toEqual([]);
});

it('knows none of connections that carry one call at a time, and no notifications', () => {
  expect(beside(5, { connection: 'c', endNs: 9, httpVersion: '1.1' })).toEqual([]);
  const requestBody = { jsonrpc: '2.0', method: 'GetTask' };
  expect(beside(5, { connection: 'c', endNs: 9, requestBody })).toEqual([]);
});

it('has none beside an exchange of which the connection is not known', () => {
  const conversation = new Conversation();
  conversation.add(call({ connection: 'c', endNs: 9 }));
  expect(conversation.callsBeside(call({ startNs: 5 }))).toEqual([]);
});

it('remembers the newest calls of a connection, and the connections that were used last', () => {
  const many = Array.from({ length: 257 }, (_, id) => ({ connection: 'c', id, endNs: undefined }));
  expect(beside(5, ...many)).toEqual(Array.from({ length: 256 }, (_, i) => i + 1));

  const elsewhere = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ connection: `d${i}`, endNs: 9 }));
  const own = { connection: 'c', endNs: 9 };
  expect(beside(5, own, ...elsewhere(1023))).toEqual([1]);
  expect(beside(5, own, ...elsewhere(1024))).toEqual([]);
  expect(beside(5, own, ...elsewhere(1023), { ...own, id: 2 }, { connection: 'e' })).toEqual([1, 2]);
});
