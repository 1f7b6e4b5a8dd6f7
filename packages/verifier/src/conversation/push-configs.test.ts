import { describe, expect, it } from 'vitest';
import { deliver, rpc, v1 } from '../examples/index.ts';
import type { More } from '../examples/protocol-objects.ts';
import type { PushConfigRecord, Sighting } from '../subjects.ts';
import { conversationOf } from '../testing/conversation.ts';
import { PushConfigs } from './push-configs.ts';

const create = (params: More = {}, result: More = {}, more = {}) =>
  rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig(params),
    result: v1.pushConfig(result),
    ...more,
  });
const refused = (params: More = {}) =>
  create(params, {}, { result: undefined, error: { code: -32603, message: 'No' } });
const remove = (params: Record<string, string>, more = {}) =>
  rpc({ method: 'DeleteTaskPushNotificationConfig', params, result: {}, ...more });

const ids = (configs: readonly PushConfigRecord[]) => configs.map(({ id }) => id);
const webhook = 'hook.example/push';

it('knows the configs of a task, and none of a task that has more than can be compared', () => {
  const configs = (count: number) => {
    const conversation = conversationOf(
      ...Array.from({ length: count }, (_, i) => create({}, { id: `c-${i}` })),
    );
    return [conversation.configsOf('agent', 'task-1'), conversation.configsFor('agent', 'task-1', webhook)];
  };
  expect(configs(256).map(({ length }) => length)).toEqual([256, 256]);
  expect(configs(257).map(({ length }) => length)).toEqual([0, 0]);
  expect(configs(258).map(({ length }) => length)).toEqual([0, 0]);
});

describe('configs of a task', () => {
  it('for a webhook are those that were accepted', () => {
    const conversation = conversationOf(
      create({}, { id: 'a' }),
      create({ url: 'https://other.example/push' }, { id: 'b', url: 'https://other.example/push' }),
      refused({ id: 'c' }),
      create({ url: undefined, id: 'd' }, { url: undefined, id: 'd' }),
      create({ taskId: 'task-2' }, { id: 'e', taskId: 'task-2' }),
    );
    expect(ids(conversation.configsOf('agent', 'task-1'))).toEqual(['a', 'b', 'c', 'd']);
    expect(ids(conversation.configsFor('agent', 'task-1', webhook))).toEqual(['a']);
    expect(ids(conversation.configsFor('agent', 'task-2', webhook))).toEqual(['e']);
    for (const none of [
      conversation.configsOf('another agent', 'task-1'),
      conversation.configsOf('agent', undefined),
      conversation.configsFor('agent', undefined, webhook),
    ])
      expect(none).toEqual([]);
  });

  it('have the id and the task that the answer names, or else those of the request', () => {
    const [config] = conversationOf(create({ id: 'mine' }, { id: undefined, taskId: undefined })).configsOf(
      'agent',
      'task-1',
    );
    expect(config).toMatchObject({ id: 'mine', taskId: 'task-1', scheme: 'Bearer', credentials: 'cred-1' });
    const answered = conversationOf(create({ id: 'mine' }, { id: 'yours', taskId: 'task-9' }));
    expect(answered.configsOf('agent', 'task-9')).toMatchObject([{ id: 'yours', taskId: 'task-9' }]);
  });

  it('are deleted each by itself, once, by an accepted call', () => {
    const conversation = conversationOf(
      create({}, { id: 'a' }),
      create({}, { id: 'b' }),
      remove({ taskId: 'task-1', id: 'a' }),
      remove({ taskId: 'task-1', id: 'a' }),
      remove({ taskId: 'task-1', id: 'b' }, { result: undefined, error: { code: -32001, message: 'No' } }),
      remove({ taskId: 'task-2', id: 'b' }),
    );
    expect(conversation.configsOf('agent', 'task-1').map(({ id, deletedAtNs }) => [id, deletedAtNs])).toEqual(
      [
        ['a', 2.1e9],
        ['b', undefined],
      ],
    );
  });
});

it('finds the config of a delivery by its URL alone where there is but one', () => {
  const configOf = (...registrations: ReturnType<typeof create>[]) => {
    const [found] = conversationOf(
      ...registrations,
      deliver(v1.statusUpdate('WORKING', { taskId: 'task-7' })),
    ).webhooks();
    return [found?.config?.id, found?.configs.length];
  };
  expect(configOf(create({}, { id: 'a' }))).toEqual(['a', 1]);
  expect(
    configOf(create({}, { id: 'a' }), create({ taskId: 'task-2' }, { id: 'b', taskId: 'task-2' })),
  ).toEqual([undefined, 2]);
  expect(
    configOf(create({}, { id: 'a' }), create({ taskId: 'task-7' }, { id: 'b', taskId: 'task-7' })),
  ).toEqual(['b', 2]);
  expect(configOf(refused())).toEqual([undefined, 0]);
});

it.each([
  'https://Hook.Example/push',
  'https://hook.example:443/push',
  'HTTPS://user:secret@hook.example/push#part',
])('finds the config of a delivery however its URL is written: %s', (url) => {
  const conversation = conversationOf(create({ url }, { url }), deliver(v1.statusUpdate('WORKING')));
  const [found] = conversation.webhooks();
  expect(found?.config?.url).toBe(url);
  expect(conversation.seesDeliveriesTo(url)).toBe(true);
});

it('knows the first config of a caller with a secret, token or credentials', () => {
  const conversation = conversationOf(
    create({ token: 't-1' }, { id: 'a' }),
    create({ token: 't-1', authentication: { scheme: 'Bearer', credentials: 'c-1' } }, { id: 'b' }),
    create({ token: '' }, { id: 'c' }),
  );
  const first = (secret: string, caller = 'client') => conversation.firstConfigWith(caller, secret)?.id;
  expect([first('t-1'), first('cred-1'), first('c-1')]).toEqual(['a', 'a', 'b']);
  expect([first(''), first('t-2'), first('t-1', 'another client')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('remembers a bounded number of secrets, the first ones', () => {
  const configs = new PushConfigs();
  const register = (token: string) =>
    configs.register({
      sighting: { exchange: { edge: { caller: 'client' } } } as Sighting,
      ...{ agent: 'agent', version: '1.0', accepted: true, mapped: false },
      ...{ answeredAtNs: undefined, traceId: undefined },
      config: { token, inline: false } as Parameters<PushConfigs['register']>[0]['config'],
    });
  for (let i = 0; i < 8193; i += 1) register(`t-${i}`);
  expect(register('t-0')).toBe(8193);
  expect(configs.firstWith('client', 't-8191')).toBeDefined();
  expect(configs.firstWith('client', 't-8192')).toBeUndefined();
  expect(configs.firstWith('client', 't-0')).toBeDefined();
});
