import type { Dialect, Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { readDelivery, readResult, readStreamEvent } from './result.ts';

const jsonRpc10: Dialect = { version: '1.0', binding: 'JSONRPC' };
const jsonRpc03: Dialect = { version: '0.3', binding: 'JSONRPC' };
const rest10: Dialect = { version: '1.0', binding: 'HTTP+JSON' };
const json = 'application/json; charset=utf-8';
const result = (value: Json): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result: value });
const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };

describe('readResult', () => {
  it('reads the answer to a send on each binding and version', () => {
    const legacy = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } };
    for (const [dialect, body] of [
      [jsonRpc10, result({ task })],
      [jsonRpc03, result(legacy)],
      [rest10, JSON.stringify({ task })],
    ] as const) {
      expect(readResult(dialect, 'SendMessage', 200, json, body)).toMatchObject({
        ok: true,
        error: undefined,
        mediaType: 'application/json',
        task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
      });
    }
  });

  it('reads lists with their page token', () => {
    const listed = readResult(
      rest10,
      'ListTasks',
      200,
      json,
      JSON.stringify({ tasks: [task], nextPageToken: 'n' }),
    );
    expect([listed.tasks.length, listed.nextPageToken]).toEqual([1, 'n']);
    const configs = readResult(
      jsonRpc10,
      'ListTaskPushNotificationConfigs',
      200,
      json,
      result({ configs: [{ id: 'p', taskId: 't', url: 'u' }] }),
    );
    expect(configs.configs).toMatchObject([{ id: 'p', taskId: 't', url: 'u' }]);
  });

  it('is not ok for errors, HTTP failures, and answers that are none', () => {
    const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'no' } });
    const read = (dialect: Dialect, status: number, body: string) =>
      readResult(dialect, 'GetTask', status, json, body);
    expect(read(jsonRpc10, 200, error)).toMatchObject({ ok: false, error: { name: 'TaskNotFoundError' } });
    expect(read(rest10, 404, '{"error":{"code":404}}')).toMatchObject({ ok: false, error: { code: 404 } });
    expect(read(rest10, 502, '<html>').ok).toBe(false);
    expect(read(rest10, 200, '<html>').ok).toBe(false);
    expect(read(jsonRpc10, 200, '{}').ok).toBe(false);
    expect(read(jsonRpc10, 200, '').ok).toBe(false);
  });

  it('takes an empty answer to a delete for success', () => {
    expect(readResult(rest10, 'DeleteTaskPushNotificationConfig', 204, undefined, '').ok).toBe(true);
    expect(readResult(jsonRpc10, 'DeleteTaskPushNotificationConfig', 200, json, result(null)).ok).toBe(true);
  });

  it('reads an extended card', () => {
    const card = { name: 'n', supportedInterfaces: [], capabilities: { extendedAgentCard: true } };
    expect(readResult(jsonRpc10, 'GetExtendedAgentCard', 200, json, result(card)).card).toMatchObject({
      name: 'n',
      extended: true,
      extendedCard: true,
    });
  });
});

describe('readStreamEvent', () => {
  it('reads events of each version', () => {
    const update = { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
    expect(readStreamEvent(rest10, JSON.stringify({ statusUpdate: update })).statusUpdate).toMatchObject({
      taskId: 't',
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    const legacy = {
      kind: 'artifact-update',
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [] },
    };
    expect(readStreamEvent(jsonRpc03, result(legacy)).artifactUpdate).toMatchObject({
      taskId: 't',
      artifact: { artifactId: 'a' },
    });
  });

  it('reads errors in every frame', () => {
    expect(readStreamEvent(rest10, '{"error":{"message":"no"}}').error?.message).toBe('no');
    expect(readStreamEvent(rest10, '{"message":"no"}', 'error').error?.message).toBe('no');
    expect(readStreamEvent(jsonRpc10, '{"error":{"code":-32603}}').error?.name).toBe('InternalError');
    expect(readStreamEvent(jsonRpc10, 'oops')).toMatchObject({ json: { state: 'invalid' }, payloads: [] });
  });
});

describe('readDelivery', () => {
  it('reads what a webhook receiver gets', () => {
    expect(readDelivery(JSON.stringify({ task }))).toMatchObject({
      version: '1.0',
      payloads: [{ kind: 'task' }],
    });
    const legacy = JSON.stringify({ kind: 'task', id: 't' });
    expect(readDelivery(legacy, '0.2')).toMatchObject({ version: '0.2', payloads: [{ kind: 'task' }] });
    expect(readDelivery('nonsense')).toMatchObject({ json: { state: 'invalid' }, payloads: [] });
  });
});

describe('what a live client got', () => {
  const unary = (operation: Parameters<typeof readResult>[1], status: number, value: Json) =>
    readResult(rest10, operation, status, json, JSON.stringify(value));

  it('is ok from 200 to 299 only, and without an error', () => {
    expect([199, 200, 299, 300].map((status) => unary('GetTask', status, task).ok)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(unary('GetTask', 200, { error: { code: 5 } }).ok).toBe(false);
    expect(readResult(jsonRpc10, 'GetTask', 404, json, result(task)).ok).toBe(false);
    expect(readResult(jsonRpc10, 'GetTask', 200, json, JSON.stringify({ jsonrpc: '2.0', id: 1 })).ok).toBe(
      false,
    );
    expect(readResult(rest10, 'GetTask', 200, json, '{').ok).toBe(false);
  });

  it('has every object under what it is, and nothing of what is not there', () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [] };
    const nothing = {
      task: undefined,
      message: undefined,
      config: undefined,
      card: undefined,
      tasks: [],
      configs: [],
    };
    expect(unary('GetTask', 200, {})).toMatchObject({ ...nothing, payloads: [], nextPageToken: undefined });
    const answered = unary('SendMessage', 200, { message });
    expect(answered).toMatchObject({ ...nothing, message: { messageId: 'm' } });
    expect(answered.payloads).toHaveLength(1);
    const both = unary('SendMessage', 200, { message, task });
    expect(both).toMatchObject({ task: { id: 't' }, message: { messageId: 'm' }, tasks: [{ id: 't' }] });
    const config = unary('GetTaskPushNotificationConfig', 200, { taskId: 't', url: 'http://hook' });
    expect(config).toMatchObject({ ...nothing, config: { taskId: 't' }, configs: [{ taskId: 't' }] });
    expect(unary('GetExtendedAgentCard', 200, { name: 'n' })).toMatchObject({
      ...nothing,
      card: { name: 'n' },
    });
  });

  it('has a page token only where it is text', () => {
    expect(unary('ListTasks', 200, { tasks: [], nextPageToken: 7 }).nextPageToken).toBeUndefined();
    expect(unary('ListTasks', 200, { tasks: [] }).nextPageToken).toBeUndefined();
    for (const body of ['null', '7', '[]'])
      expect(readResult(rest10, 'ListTasks', 200, json, body).nextPageToken).toBeUndefined();
  });

  it('has its text read as whole and as valid UTF-8', () => {
    expect(readResult(rest10, 'GetTask', 200, json, '7').json).toMatchObject({
      state: 'ok',
      utf8: true,
      value: 7,
    });
    expect(readStreamEvent(rest10, '7').json).toMatchObject({ state: 'ok', utf8: true, value: 7 });
    expect(readDelivery('7').json).toMatchObject({ state: 'ok', utf8: true, value: 7 });
    expect(readDelivery('').json.state).toBe('absent');
    expect(readResult(rest10, 'GetTask', 200, json, '').json.state).toBe('absent');
  });
});

describe('an event of a live stream', () => {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [] };
  const statusUpdate = { taskId: 't1', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
  const artifactUpdate = { taskId: 't2', contextId: 'c', artifact: { artifactId: 'a', parts: [] } };
  const nothing = { task: undefined, message: undefined, statusUpdate: undefined, artifactUpdate: undefined };

  it.each<[string, Json, Json]>([
    ['a task', { task }, { task: { id: 't' } }],
    ['a message', { message }, { message: { messageId: 'm' } }],
    ['a status', { statusUpdate }, { statusUpdate: { taskId: 't1' } }],
    ['an artifact', { artifactUpdate }, { artifactUpdate: { taskId: 't2' } }],
  ])('has %s under what it is', (_what, data, expected) => {
    expect(readStreamEvent(rest10, JSON.stringify(data))).toMatchObject({
      ...nothing,
      ...(expected as object),
    });
  });

  it('has all of several objects, which is a fault', () => {
    const all = { task, message, statusUpdate, artifactUpdate };
    expect(readStreamEvent(rest10, JSON.stringify(all))).toMatchObject({
      task: { id: 't' },
      message: { messageId: 'm' },
      statusUpdate: { taskId: 't1' },
      artifactUpdate: { taskId: 't2' },
    });
  });

  it('with a status is an update in 0.1, which a delivery is not', () => {
    const bare = { id: 't', status: { state: 'working' } };
    const dialect: Dialect = { version: '0.1', binding: 'JSONRPC' };
    expect(readStreamEvent(dialect, result(bare))).toMatchObject({
      task: undefined,
      statusUpdate: { taskId: 't' },
    });
    expect(readDelivery(JSON.stringify(bare), '0.1')).toMatchObject({
      version: '0.1',
      payloads: [{ kind: 'task' }],
    });
    expect(readDelivery(JSON.stringify(bare)).version).toBe('1.0');
  });
});
