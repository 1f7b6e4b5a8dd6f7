import type { DecodedExchange } from '@plugfest/a2a';
import { describe, expect, it } from 'vitest';
import { rest, restError, rpc, rpcStream, v1 } from '../examples/index.ts';
import { conversationOf, decoded, decodedOne } from '../testing/conversation.ts';
import { isMissingOperation } from './operations.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const unknown = { method: 'GetTask', params: { id: 'no-such-task' }, purpose: 'probe' } as const;
const notFound = { code: -32001, message: 'No such task' };

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

it('keeps the first exchange that showed an operation, or the lack of it, on each binding', () => {
  const served = rpc({ ...get, result: v1.task('WORKING') });
  const missing = rpc({ method: 'ListTasks', params: {}, error: { code: -32601, message: 'No' } });
  const conversation = conversationOf(served, served, missing, missing);
  expect(conversation.servedOn('agent', '1.0', 'GetTask').get('JSONRPC')?.id).toBe('x0');
  expect(conversation.missingOn('agent', '1.0', 'ListTasks').get('JSONRPC')?.id).toBe('x2');
});

it('remembers a refusal that a stream gave, and none without a name', () => {
  const send = {
    method: 'SendStreamingMessage',
    params: { message: v1.message('more', { taskId: 'no-such' }) },
  };
  const raw = (code: number) => `data: {"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"No"}}\n\n`;
  const refused = (code: number) => rpcStream({ ...send, events: [], raw: raw(code), purpose: 'probe' });
  const fault = '1.0 SendStreamingMessage unknown';
  expect(conversationOf(refused(-32001)).refusalsOf('agent', fault).get('JSONRPC')).toMatchObject({
    name: 'TaskNotFoundError',
    exchange: { id: 'x0' },
  });
  expect(conversationOf(refused(-1)).refusalsOf('agent', fault).size).toBe(0);
  expect(conversationOf(refused(-32001)).refusalsOf('another agent', fault).size).toBe(0);
  const faultless = rpcStream({ ...send, events: [], raw: raw(-32001) });
  expect(conversationOf(faultless).refusalsOf('agent', fault).size).toBe(0);
});

describe('an answer that there is no such operation', () => {
  const exchange = decodedOne(rpc({ ...get, result: v1.task('WORKING') }));
  const missing = (change: object) => isMissingOperation({ ...exchange, ...change } as DecodedExchange);
  const overGrpc = (operation: string, error: object | undefined) =>
    missing({ dialect: { version: '1.0', binding: 'GRPC' }, operation, response: { status: 200, error } });

  it('is named so, or a status where nothing is named', () => {
    expect(missing({})).toBe(false);
    expect(missing({ response: undefined })).toBe(false);
    expect(missing({ response: { status: 501 } })).toBe(true);
    expect(missing({ response: { status: 501, error: { name: 'UnsupportedOperationError' } } })).toBe(false);
    expect(missing({ response: { status: 200, error: { name: 'MethodNotFoundError' } } })).toBe(true);
    const ofStream = (error: object | undefined) => ({ response: { status: 200, events: [{ error }] } });
    expect(missing(ofStream({ name: 'MethodNotFoundError' }))).toBe(true);
    expect(missing(ofStream(undefined))).toBe(false);
    expect(missing({ response: { status: 501, events: [] } })).toBe(true);
    expect(missing({ response: { status: 501 }, dialect: undefined })).toBe(true);
  });

  it('is none where the announced version has no such method', () => {
    const announcing = (a2aVersion: string) =>
      missing({ request: { ...exchange.request, a2aVersion }, response: { status: 501 } });
    expect(['1.0', '0.3', '0.2', 'nonsense'].map(announcing)).toEqual([true, false, false, true]);
  });

  it('is UNIMPLEMENTED in gRPC, for operations that need no capability', () => {
    for (const operation of ['GetTask', 'ListTasks', 'CancelTask'])
      expect(overGrpc(operation, { code: 12 })).toBe(true);
    expect(overGrpc('SubscribeToTask', { code: 12 })).toBe(false);
    expect(overGrpc('GetTask', { code: 5 })).toBe(false);
    expect(overGrpc('GetTask', undefined)).toBe(false);
  });
});
