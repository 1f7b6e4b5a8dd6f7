import type { Dialect, JsonObject, Operation } from '@plugfest/model';
import { expect, it } from 'vitest';
import { encodeRequest } from '../encode.ts';

const dialect: Dialect = { version: '0.3', binding: 'HTTP+JSON' };
const encode = (operation: Operation, params: JsonObject) =>
  encodeRequest({ dialect, operation, params, id: 1, baseUrl: 'http://a/rest' });

it('writes HTTP+JSON of 0.3 as its proto transcodes, below /v1 and without a version header', () => {
  const sent = encode('SendMessage', {
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] },
    configuration: { returnImmediately: true },
  });
  expect(sent.url).toBe('http://a/rest/v1/message:send');
  expect(sent.headers).toEqual({ 'content-type': 'application/json', accept: 'application/json' });
  expect(JSON.parse(sent.body ?? '')).toEqual({
    message: { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hi' }] },
    configuration: { blocking: false },
  });
});

it('puts into the path of 0.3 what its messages name as a resource', () => {
  expect(encode('GetTask', { id: 'a/b', historyLength: 0 })).toMatchObject({
    method: 'GET',
    url: 'http://a/rest/v1/tasks/a%2Fb?historyLength=0',
    body: undefined,
  });
  expect(encode('CancelTask', { id: 't' })).toMatchObject({
    url: 'http://a/rest/v1/tasks/t:cancel',
    body: '{}',
  });
  // The annotation of this call says `body: "config"`.
  const create = encode('CreateTaskPushNotificationConfig', { taskId: 't', id: 'p', url: 'http://h' });
  expect(create.url).toBe('http://a/rest/v1/tasks/t/pushNotificationConfigs');
  expect(JSON.parse(create.body ?? '')).toEqual({
    name: 'tasks/t/pushNotificationConfigs/p',
    pushNotificationConfig: { id: 'p', url: 'http://h' },
  });
  expect(encode('DeleteTaskPushNotificationConfig', { taskId: 't', id: 'p' })).toMatchObject({
    method: 'DELETE',
    url: 'http://a/rest/v1/tasks/t/pushNotificationConfigs/p',
  });
});
