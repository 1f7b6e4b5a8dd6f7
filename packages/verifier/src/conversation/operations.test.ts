import { decodeExchange } from '@plugfest/a2a';
import { expect, it } from 'vitest';
import { Conversation } from '../conversation.ts';
import type { HttpExampleExchange } from '../examples/example.ts';
import { rest, restError, rpc, v1 } from '../examples/index.ts';
import { captured } from '../testing/captured.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const unknown = { method: 'GetTask', params: { id: 'no-such-task' }, purpose: 'probe' } as const;
const notFound = { code: -32001, message: 'No such task' };

const decoded = (...exchanges: readonly HttpExampleExchange[]) =>
  captured(exchanges).map((exchange) => decodeExchange(exchange));

function conversationOf(...exchanges: readonly HttpExampleExchange[]): Conversation {
  const conversation = new Conversation();
  for (const exchange of decoded(...exchanges)) conversation.add(exchange);
  return conversation;
}

const bindings = (seen: ReadonlyMap<string, unknown>): readonly string[] => [...seen.keys()];

it('tells on which bindings an operation is there, and where not', () => {
  const conversation = conversationOf(
    rpc({ ...get, error: { code: -32601, message: 'Method not found' } }),
    rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') }),
    rest({ verb: 'GET', path: '/tasks', status: 501, responseText: '' }),
    // An error of the operation says neither.
    rpc({ method: 'CancelTask', params: { id: 'task-1' }, error: notFound }),
  );
  expect(bindings(conversation.servedOn('agent', '1.0', 'GetTask'))).toEqual(['HTTP+JSON']);
  expect(bindings(conversation.missingOn('agent', '1.0', 'GetTask'))).toEqual(['JSONRPC']);
  expect(bindings(conversation.missingOn('agent', '1.0', 'ListTasks'))).toEqual(['HTTP+JSON']);
  for (const seen of [
    conversation.servedOn('agent', '0.3', 'GetTask'),
    conversation.servedOn('another agent', '1.0', 'GetTask'),
    conversation.servedOn('agent', '1.0', 'CancelTask'),
    conversation.missingOn('agent', '1.0', 'CancelTask'),
  ])
    expect(bindings(seen)).toEqual([]);
});

it('remembers how a fault was refused on each binding, the first time', () => {
  const details = [v1.errorInfo('TASK_NOT_FOUND')];
  const conversation = conversationOf(
    rpc({ ...unknown, error: notFound }),
    rpc({ ...unknown, error: { code: -32602, message: 'Invalid' } }),
    rest({
      verb: 'GET',
      path: '/tasks/another-one',
      purpose: 'probe',
      status: 404,
      response: restError(404, 'NOT_FOUND', 'No', details),
    }),
  );
  const [again] = decoded(rpc({ ...unknown, error: notFound }));
  const fault = again && conversation.faultOf(again);
  expect(fault).toBe('1.0 GetTask unknown');
  expect(
    [...conversation.refusalsOf('agent', fault ?? '')].map(([binding, { name }]) => [binding, name]),
  ).toEqual([
    ['JSONRPC', 'TaskNotFoundError'],
    ['HTTP+JSON', 'TaskNotFoundError'],
  ]);
  expect(conversation.refusalsOf('agent', '1.0 CancelTask unknown').size).toBe(0);
});

it('knows a fault by the task that a request names', () => {
  const finished = conversationOf(rpc({ ...get, result: v1.task('COMPLETED') }));
  const open = conversationOf(rpc({ ...get, result: v1.task('WORKING') }));
  const [cancel, say, list, stranger] = decoded(
    rpc({ method: 'CancelTask', params: { id: 'task-1' }, error: notFound }),
    rpc({
      method: 'SendMessage',
      params: { message: v1.message('more', { taskId: 'task-1' }) },
      error: notFound,
    }),
    rpc({ method: 'ListTasks', params: {}, error: notFound }),
    rpc({ method: 'GetTask', params: { id: 'task-9' }, error: notFound }),
  );
  expect(cancel && finished.faultOf(cancel)).toBe('1.0 CancelTask TASK_STATE_COMPLETED');
  expect(say && finished.faultOf(say)).toBe('1.0 SendMessage TASK_STATE_COMPLETED');
  for (const none of [
    cancel && open.faultOf(cancel),
    list && finished.faultOf(list),
    stranger && finished.faultOf(stranger),
  ])
    expect(none).toBeUndefined();
});
