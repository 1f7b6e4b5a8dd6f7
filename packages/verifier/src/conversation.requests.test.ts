import type { CapturedExchange } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import type { HttpExampleExchange } from './examples/example.ts';
import { rest, rpc, rpcStream, unanswered, v1 } from './examples/index.ts';
import type { More } from './examples/protocol-objects.ts';
import { conversationOf, conversationOfDecoded, decodedOne } from './testing/conversation.ts';

type Change = (exchange: CapturedExchange) => CapturedExchange;

const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
const send = (message: More = {}, more: Partial<Parameters<typeof rpc>[0]> = {}) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello', message) },
    result: { task: v1.task('WORKING') },
    ...more,
  });
const noSuchTask = { error: { code: -32001, message: 'No such task' } };

describe('what a client asked of a task', () => {
  const action = (exchange: HttpExampleExchange, change?: Change) =>
    conversationOfDecoded(decodedOne(get), decodedOne(exchange, {}, change)).task('agent', 'task-1')
      ?.actions[1];

  it('is where the request names it', () => {
    expect(action(get)).toMatchObject({
      ...{ operation: 'GetTask', side: 'request', pointer: '/params', event: undefined, seq: 0, atNs: 0 },
      ...{ messageId: undefined, contextId: undefined, accepted: true, answeredAtNs: 0.1e9 },
    });
    expect(action(send({ taskId: 'task-1', contextId: 'ctx-1' }))).toMatchObject({
      ...{ operation: 'SendMessage', side: 'request', pointer: '/params/message' },
      ...{ messageId: 'm-hello', contextId: 'ctx-1' },
    });
    expect(action(send({ contextId: 'ctx-1' }))).toBeUndefined();
    const overRest = rest({
      verb: 'POST',
      path: '/tasks/task-1:cancel',
      body: {},
      response: v1.task('CANCELED'),
    });
    expect(action(overRest)?.operation).toBe('CancelTask');
    expect(
      action(rpc({ method: 'ListTasks', params: { id: 'task-1' }, result: { tasks: [] } })),
    ).toBeUndefined();
  });

  it('was accepted where the answer is no error and no redirect', () => {
    const refused = { method: 'GetTask', params: { id: 'task-1' }, ...noSuchTask };
    expect(action(rpc(refused))?.accepted).toBe(false);
    expect(action(unanswered(get))).toMatchObject({ accepted: false, answeredAtNs: undefined });
    const answered = (status: number) =>
      action(rest({ verb: 'GET', path: '/tasks/task-1', status, responseText: '' }))?.accepted;
    expect([200, 204, 299, 302, 400, 500].map(answered)).toEqual([true, true, true, false, false, false]);
  });
});

it('knows a context by whoever named it, and where', () => {
  const stream = rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [
      { task: v1.task('WORKING', { contextId: undefined }) },
      v1.statusUpdate('WORKING', { contextId: 'of status' }),
      v1.artifactUpdate('one', { contextId: 'of artifact' }),
    ],
  });
  const replied = send(
    { contextId: 'of client' },
    { result: { message: v1.reply('Hi', { contextId: 'of reply' }) } },
  );
  const conversation = conversationOf(stream, replied, send());
  const context = (id: string) => conversation.context('agent', id);
  expect(context('of status')).toMatchObject({
    ...{ agent: 'agent', version: '1.0', taskIds: ['task-1'], firstFromClient: undefined },
    firstFromServer: { side: 'response', event: 1, pointer: '/result/statusUpdate', exchange: { id: 'x0' } },
  });
  expect(context('of artifact')).toMatchObject({ taskIds: ['task-1'], firstFromServer: { event: 2 } });
  expect(context('of reply')).toMatchObject({ taskIds: [], firstFromServer: { pointer: '/result/message' } });
  expect(context('of client')).toMatchObject({
    ...{ taskIds: [], firstFromServer: undefined },
    firstFromClient: { side: 'request', pointer: '/params/message', event: undefined, seq: 10, atNs: 1e9 },
  });
  expect(context('ctx-1')?.taskIds).toEqual(['task-1']);
  expect([...conversation.contexts()].map(({ id }) => id)).toEqual([
    ...['of status', 'of artifact', 'of client', 'of reply', 'ctx-1'],
  ]);
  expect(conversation.context('agent', undefined)).toBeUndefined();
});

describe('a push config', () => {
  const create = (more: Partial<Parameters<typeof rpc>[0]> = {}) =>
    rpc({
      method: 'CreateTaskPushNotificationConfig',
      params: v1.pushConfig(),
      result: v1.pushConfig({ id: 'config-1' }),
      ...more,
    });
  const registered = (exchange: HttpExampleExchange, change?: Change) =>
    conversationOfDecoded(decodedOne(exchange, {}, change)).configsOf('agent', 'task-1')[0];

  it('is kept as it was asked for, and answered', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(registered(create({ headers: { traceparent } }))).toMatchObject({
      ...{ agent: 'agent', version: '1.0', inline: false, accepted: true, mapped: false, side: 'request' },
      ...{ url: 'https://hook.example/push', token: 'token-1', scheme: 'Bearer', credentials: 'cred-1' },
      ...{ traceId: '0af7651916cd43dd8448eb211c80319c', answeredAtNs: 0.1e9, deletedAtNs: undefined },
      pointer: '/params',
    });
    expect(registered(create({ headers: { traceparent: 'none' } }))?.traceId).toBeUndefined();
    expect(registered(create(noSuchTask))?.accepted).toBe(false);
  });

  it('was answered when its exchange ended, or else when the answer began', () => {
    const answeredAt = (change: Change) => registered(create(), change)?.answeredAtNs;
    expect(answeredAt((exchange) => ({ ...exchange, end: { kind: 'complete', atNs: 7e9 } }))).toBe(7e9);
    expect(answeredAt((exchange) => ({ ...exchange, end: { kind: 'open' } }))).toBe(0.1e9);
    expect(
      answeredAt(({ response: _, ...exchange }) => ({ ...exchange, end: { kind: 'open' } })),
    ).toBeUndefined();
  });

  it('may have been changed on its way where the body was', () => {
    type Place = CapturedExchange['changes'][number]['place'];
    const mappedFor = (reason: string, ...places: readonly Place[]) =>
      registered(create(), (exchange) => ({
        ...exchange,
        changes: places.map((place) => ({ place, reason }) as CapturedExchange['changes'][number]),
      }))?.mapped;
    const mapped = (...places: readonly Place[]) => mappedFor('webhook-url', ...places);
    expect([mapped(), mapped('headers' as Place), mapped('headers' as Place, 'body')]).toEqual([
      false,
      false,
      true,
    ]);
    // A fault acts behind the record, so what is on record is what was sent.
    expect(mappedFor('fault-override', 'body')).toBe(false);
  });

  it('has the id that its creation gave, not what a later look at it showed', () => {
    const look = (id: string) =>
      rpc({
        method: 'GetTaskPushNotificationConfig',
        params: { taskId: 'task-1', id: 'config-1' },
        result: v1.pushConfig({ id }),
      });
    const conversation = conversationOf(create(), look('config-9'));
    expect(conversation.configsOf('agent', 'task-1').map(({ id }) => id)).toEqual(['config-1']);
  });

  it('that came with a message keeps the id it was given by', () => {
    const configuration = { taskPushNotificationConfig: v1.pushConfig({ id: 'mine', taskId: undefined }) };
    const inline = (result: Parameters<typeof rpc>[0]['result']) =>
      rpc({
        method: 'SendMessage',
        params: { message: v1.message('hello'), configuration },
        ...(result === undefined ? {} : { result }),
      });
    const conversation = conversationOf(inline({ task: v1.task('WORKING') }));
    expect(conversation.configsOf('agent', 'task-1')).toMatchObject([
      { id: 'mine', inline: true, pointer: '/params/configuration/taskPushNotificationConfig' },
    ]);
    expect(conversation.hasConfigs('agent', 'task-1')).toBe(true);
    const streamed = rpcStream({
      method: 'SendStreamingMessage',
      params: { message: v1.message('hello'), configuration },
      events: [v1.artifactUpdate('one', { taskId: undefined }), { task: v1.task('WORKING') }],
    });
    expect(conversationOf(streamed).configsOf('agent', 'task-1')).toHaveLength(1);
    const nowhere = conversationOf(inline({ message: v1.reply('Hi') }), get);
    expect(nowhere.configsOf('agent', 'task-1')).toEqual([]);
    expect(nowhere.hasConfigs('agent', 'task-1')).toBe(false);
  });
});

describe('a fault that requests have in common', () => {
  const finished = () =>
    conversationOf(rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') }));
  const fault = (exchange: HttpExampleExchange) => finished().faultOf(decodedOne(exchange));

  it('is that of the task that a message, or the input, names', () => {
    expect(fault(send({ taskId: 'task-1' }))).toBe('1.0 SendMessage TASK_STATE_COMPLETED');
    expect(fault(get)).toBe('1.0 GetTask TASK_STATE_COMPLETED');
    expect(fault(send())).toBeUndefined();
    expect(fault(rpc({ method: 'Unheard', params: { id: 'task-1' } }))).toBeUndefined();
  });

  it('is none of what only the answer names', () => {
    const [params, result] = [{ tenant: 'acme' }, { message: v1.reply('Hi', { taskId: 'task-1' }) }];
    expect(fault(rpc({ method: 'SendMessage', params, result }))).toBeUndefined();
    const configuration = { taskPushNotificationConfig: v1.pushConfig({ taskId: undefined }) };
    const message = v1.message('more', { taskId: 'task-1' });
    expect(fault(rpc({ method: 'SendMessage', params: { configuration, message } }))).toBe(
      '1.0 SendMessage TASK_STATE_COMPLETED',
    );
  });

  it('is made up only by a probe', () => {
    const stranger = send({ taskId: 'no-such-task' });
    expect(fault(stranger)).toBeUndefined();
    expect(fault({ ...stranger, purpose: 'probe' })).toBe('1.0 SendMessage unknown');
  });
});
