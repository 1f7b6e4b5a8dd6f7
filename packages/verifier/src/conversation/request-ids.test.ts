import { expect, it } from 'vitest';
import { configIdInParams, taskIdInParams } from './request-ids.ts';

const ofTasks = ['GetTask', 'CancelTask', 'SubscribeToTask'];
const ofConfigs = [
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
];
const params = { id: 'a', taskId: 'b', pushNotificationConfigId: 'c' };

it.each(ofTasks)('finds the task of %s in `id` only', (operation) => {
  expect(taskIdInParams(params, operation)).toBe('a');
  expect(taskIdInParams({ taskId: 'b' }, operation)).toBeUndefined();
});

it.each(ofConfigs)('finds the task of %s in `taskId`, or else in `id`', (operation) => {
  expect(taskIdInParams(params, operation)).toBe('b');
  expect(taskIdInParams({ ...params, taskId: '' }, operation)).toBe('a');
});

it('finds no task where the operation names none', () => {
  for (const operation of ['SendMessage', 'ListTasks', ''])
    expect(taskIdInParams(params, operation)).toBeUndefined();
});

it('finds the config in `pushNotificationConfigId`, or else in `id`', () => {
  expect(configIdInParams(params)).toBe('c');
  expect(configIdInParams({ id: 'a' })).toBe('a');
  expect(configIdInParams({ taskId: 'b' })).toBeUndefined();
});

it.each([[undefined], [null], ['id'], [7], [{}], [{ id: 7 }], [{ id: null }], [{ id: '' }], [[]]])(
  'finds nothing in %j',
  (other: unknown) => {
    expect(taskIdInParams(other, 'GetTask')).toBeUndefined();
    expect(configIdInParams(other)).toBeUndefined();
  },
);
