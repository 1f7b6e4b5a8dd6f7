import { describe, expect, it } from 'vitest';
import { pushConfigView } from './push-config.ts';

const config = { id: 'c', url: 'http://hook', token: 'secret' };

describe('a push configuration', () => {
  it('is flat in 1.0, with either spelling of the task', () => {
    const value = { ...config, taskId: 't', authentication: { scheme: 'Bearer', credentials: 'x' } };
    expect(pushConfigView(value, '1.0', false)).toEqual({
      taskId: 't',
      id: 'c',
      url: 'http://hook',
      token: 'secret',
      scheme: 'Bearer',
      credentials: 'x',
      inline: false,
      value,
    });
    expect(pushConfigView({ ...config, task_id: 't' }, '1.0', false).taskId).toBe('t');
  });

  it('lies within that of a task up to 0.3, whose `id` is the task', () => {
    const value = { id: 't', pushNotificationConfig: { ...config, authentication: { schemes: ['Basic'] } } };
    expect(pushConfigView(value, '0.2', false)).toMatchObject({ taskId: 't', id: 'c', scheme: 'Basic' });
    expect(pushConfigView(value, '1.0', false).taskId).toBeUndefined();
    expect(pushConfigView({ taskId: 't2', ...value }, '0.3', false).taskId).toBe('t2');
  });

  it('names no task where it came inside a send', () => {
    expect(pushConfigView(config, '0.3', true)).toMatchObject({ taskId: undefined, id: 'c', inline: true });
  });

  it.each([
    ['tasks/t/pushNotificationConfigs/c9', 't', 'c9'],
    ['tasks/t/pushNotifications/c9', 't', 'c9'],
    ['task/t', 't', undefined],
    ['tasks/t/pushNotificationConfigs/c9/more', undefined, undefined],
    ['my-tasks/t/pushNotificationConfigs/c9', undefined, undefined],
    ['tasks/t/other/c9', undefined, undefined],
  ])('has its ids in the resource name of gRPC: %s', (name, taskId, id) => {
    const value = { name, pushNotificationConfig: { url: 'http://hook' } };
    expect(pushConfigView(value, '0.3', false)).toMatchObject({ taskId, id });
  });

  it('has its ids beside it in the request that creates it over gRPC', () => {
    const value = {
      parent: 'tasks/t',
      configId: 'c9',
      config: { pushNotificationConfig: { url: 'http://hook' } },
    };
    expect(pushConfigView(value, '0.3', false)).toMatchObject({ taskId: 't', id: 'c9', url: 'http://hook' });
  });
});
