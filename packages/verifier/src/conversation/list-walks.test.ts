import { decodeExchange } from '@plugfest/a2a';
import type { Json, JsonObject } from '@plugfest/model';
import { expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import { rpc, unanswered, v1 } from '../examples/index.ts';
import { captured } from '../testing/captured.ts';
import { filtersOf } from './list-walks.ts';

const page = (params: JsonObject, ids: readonly string[], nextPageToken: string) =>
  rpc({
    method: 'ListTasks',
    params,
    result: { tasks: ids.map((id) => v1.task('WORKING', { id })), nextPageToken, pageSize: 2, totalSize: 9 },
  });

function conversationOf(...exchanges: ReturnType<typeof page>[]): Conversation {
  const conversation = new Conversation();
  for (const exchange of captured(exchanges)) conversation.add(decodeExchange(exchange));
  return conversation;
}

it('knows the page that gave a token, and those before it', () => {
  const conversation = conversationOf(
    page({}, ['a', 'b'], 'p2'),
    page({ pageToken: 'p2' }, ['c'], 'p3'),
    page({ pageToken: 'p3' }, ['d'], ''),
  );
  expect(conversation.pageBefore('agent', 'p2')).toMatchObject({
    number: 1,
    taskIds: ['a', 'b'],
    totalSize: 9,
  });
  expect(conversation.pageBefore('agent', 'p3')).toMatchObject({
    number: 2,
    taskIds: ['c'],
    before: { number: 1, exchange: { id: 'x0' } },
  });
  expect(conversation.pageBefore('agent', 'p4')).toBeUndefined();
  expect(conversation.pageBefore('another agent', 'p2')).toBeUndefined();
});

it('tells apart lists that gave the same token', () => {
  const conversation = conversationOf(
    page({ contextId: 'one' }, ['a'], '2'),
    page({ contextId: 'two' }, ['b'], '2'),
    page({ contextId: 'one', pageToken: '2' }, ['c'], '4'),
  );
  expect(conversation.pageBefore('agent', '2', { contextId: 'one' })?.taskIds).toEqual(['a']);
  expect(conversation.pageBefore('agent', '2', { contextId: 'two' })?.taskIds).toEqual(['b']);
  expect(conversation.pageBefore('agent', '2', { contextId: 'three' })?.taskIds).toEqual(['b']);
  expect(conversation.pageBefore('agent', '4')?.before?.taskIds).toEqual(['a']);
});

it('forgets the oldest pages of a walk, and the oldest tokens of all', () => {
  const walk = Array.from({ length: 65 }, (_, i) =>
    page(i === 0 ? {} : { pageToken: `p${i}` }, [`t${i}`], `p${i + 1}`),
  );
  const conversation = conversationOf(...walk);
  expect(conversation.pageBefore('agent', 'p63')?.before?.number).toBe(62);
  expect(conversation.pageBefore('agent', 'p64')).toMatchObject({ number: 64, before: undefined });
  expect(conversation.pageBefore('agent', 'p65')?.before).toMatchObject({ number: 64 });

  const many = conversationOf(...Array.from({ length: 1025 }, (_, i) => page({}, [], `q${i}`)));
  expect(many.pageBefore('agent', 'q0')).toBeUndefined();
  expect(many.pageBefore('agent', 'q1')?.number).toBe(1);
});

it('keeps the times of a page, and none that is too long for one', () => {
  const timed = (id: string, timestamp?: string) =>
    v1.task('WORKING', { id, status: v1.status('WORKING', { timestamp }) });
  const conversation = conversationOf(
    rpc({
      method: 'ListTasks',
      params: {},
      result: {
        tasks: [
          timed('a', '2026-01-01T00:00:02Z'),
          timed('b', '9'.repeat(41)),
          timed('c'),
          timed('d', '9'.repeat(40)),
        ],
        nextPageToken: 'p2',
      },
    }),
  );
  expect(conversation.pageBefore('agent', 'p2')?.timestamps).toEqual([
    '2026-01-01T00:00:02Z',
    '9'.repeat(40),
  ]);
});

it('knows no page that gave no token, or was not answered by one', () => {
  const list = (result: Json | undefined, more = {}) =>
    rpc({ method: 'ListTasks', params: {}, ...(result === undefined ? {} : { result }), ...more });
  const tasks = [v1.task('WORKING')];
  for (const token of ['', null, 7]) {
    const conversation = conversationOf(list({ tasks, nextPageToken: token }));
    expect(conversation.pageBefore('agent', `${token}`)).toBeUndefined();
  }
  const others = [
    list([]),
    list(undefined, { error: { code: -32603, message: 'No' } }),
    unanswered(list({})),
  ];
  for (const other of others) expect(conversationOf(other).pageBefore('agent', '')).toBeUndefined();
});

it('counts pages from one where the token asked for is none that was given', () => {
  for (const pageToken of ['p9', 7, null]) {
    const found = conversationOf(page({ pageToken }, ['a'], 'p2')).pageBefore('agent', 'p2');
    expect(found).toMatchObject({ number: 1, before: undefined });
  }
});

it('keeps the size of the list where it is a number, and the ids of all its tasks', () => {
  const conversation = conversationOf(
    rpc({
      method: 'ListTasks',
      params: {},
      result: {
        tasks: [v1.task('WORKING', { id: undefined }), v1.task('WORKING')],
        nextPageToken: 'p2',
        totalSize: '9',
      },
    }),
  );
  expect(conversation.pageBefore('agent', 'p2')).toMatchObject({
    totalSize: undefined,
    taskIds: ['', 'task-1'],
  });
});

it('remembers longer a token that was given again', () => {
  const others = Array.from({ length: 1023 }, (_, i) => page({}, [], `q${i}`));
  const again = conversationOf(page({}, ['a'], 'p2'), ...others, page({}, ['b'], 'p2'), page({}, [], 'last'));
  expect(again.pageBefore('agent', 'p2')?.taskIds).toEqual(['b']);
  expect(again.pageBefore('agent', 'q0')).toBeUndefined();
});

it('compares what is asked for, not how much of it', () => {
  const asked = { contextId: 'ctx-1', status: 'TASK_STATE_WORKING' };
  expect(filtersOf({ status: 'TASK_STATE_WORKING', contextId: 'ctx-1', pageSize: 7, pageToken: 'p' })).toBe(
    filtersOf(asked),
  );
  expect(filtersOf({ ...asked, tenant: '', statusTimestampAfter: null })).toBe(filtersOf(asked));
  expect(filtersOf({ contextId: 'ctx-1' })).not.toBe(filtersOf(asked));
  expect(filtersOf(undefined)).toBe(filtersOf({}));
});
