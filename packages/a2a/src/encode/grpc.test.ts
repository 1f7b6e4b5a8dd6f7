import type { Dialect, JsonObject, Operation } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured } from '../captured.fixture.ts';
import { decodeExchange } from '../decode.ts';
import { operations } from '../operations.ts';
import { encodeGrpcCall } from './grpc.ts';

const modern: Dialect = { version: '1.0', binding: 'GRPC' };
const legacy: Dialect = { version: '0.3', binding: 'GRPC' };

function decoded(dialect: Dialect, operation: Operation, params: JsonObject) {
  const { path, headers, body } = encodeGrpcCall({ dialect, operation, params });
  const { 'content-type': type = '', ...others } = headers;
  const named = { 'Content-Type': type, ...others };
  return decodeExchange(captured({ method: 'POST', target: path, headers: named, body }));
}

const message = {
  messageId: 'm',
  role: 'ROLE_USER',
  taskId: 't',
  parts: [
    { text: 'hi' },
    { raw: 'AAE=', filename: 'f', mediaType: 'image/png' },
    { url: 'http://f/' },
    { data: { a: 1 }, mediaType: 'application/json' },
  ],
};
const config = { url: 'http://hook/', token: 'tok', authentication: { scheme: 'Bearer', credentials: 'c' } };

describe('a gRPC call', () => {
  it.each([modern, legacy])('of each operation of $version is read back as what it is', (dialect) => {
    let written = 0;
    for (const { operation, grpc } of operations) {
      if (grpc[dialect.version] === undefined) {
        expect(() => encodeGrpcCall({ dialect, operation })).toThrow(/does not write/);
        continue;
      }
      const ofTask = { GetTask: { id: 't' }, CancelTask: { id: 't' }, SubscribeToTask: { id: 't' } };
      const params: JsonObject =
        operation in ofTask
          ? ofTask[operation as keyof typeof ofTask]
          : operation.startsWith('Send')
            ? { message }
            : operation.includes('PushNotificationConfig')
              ? { taskId: 't', ...(operation.startsWith('List') ? {} : { id: 'p' }) }
              : {};
      const { dialect: read, operation: seen, request } = decoded(dialect, operation, params);
      expect([read, seen]).toEqual([dialect, operation]);
      expect(request.json.state).toBe('ok');
      // 0.3 creates under a name, and says the id beside it.
      if ('id' in params && !operation.startsWith('Create'))
        expect(request.params).toMatchObject({ id: params.id ?? '' });
      if ('taskId' in params) expect(request.params).toMatchObject({ taskId: 't' });
      written += 1;
    }
    expect(written).toBe(dialect.version === '1.0' ? 11 : 10);
  });

  it('announces 1.0 in its metadata and nothing to 0.3', () => {
    const spec = { operation: 'GetTask', params: { id: 't' } } as const;
    expect(encodeGrpcCall({ dialect: modern, ...spec }).headers).toMatchObject({
      'a2a-version': '1.0',
      te: 'trailers',
    });
    expect(encodeGrpcCall({ dialect: legacy, ...spec }).headers).not.toHaveProperty('a2a-version');
  });

  it('carries all kinds of parts and a webhook, in the messages of each version', () => {
    const params = {
      message: { ...message, referenceTaskIds: ['other'] },
      configuration: { returnImmediately: true, historyLength: 2, taskPushNotificationConfig: config },
    };
    expect(decoded(modern, 'SendMessage', params).request.json.value).toEqual(params);
    expect(decoded(legacy, 'SendMessage', params).request.json.value).toEqual({
      message: {
        messageId: 'm',
        role: 'ROLE_USER',
        taskId: 't',
        content: [
          { text: 'hi' },
          { file: { fileWithBytes: 'AAE=', name: 'f', mimeType: 'image/png' } },
          { file: { fileWithUri: 'http://f/' } },
          { data: { data: { a: 1 } } },
        ],
      },
      configuration: {
        historyLength: 2,
        pushNotification: {
          url: 'http://hook/',
          token: 'tok',
          authentication: { schemes: ['Bearer'], credentials: 'c' },
        },
      },
    });
  });

  it('names a webhook of 0.3 as a resource of its task', () => {
    const params = { taskId: 't', id: 'p', ...config };
    expect(decoded(legacy, 'CreateTaskPushNotificationConfig', params).request.json.value).toMatchObject({
      parent: 'tasks/t',
      configId: 'p',
      config: {
        name: 'tasks/t/pushNotificationConfigs/p',
        pushNotificationConfig: { id: 'p', token: 'tok' },
      },
    });
    const read = decoded(legacy, 'GetTaskPushNotificationConfig', { taskId: 't', id: 'p' });
    expect(read.request.params).toMatchObject({ taskId: 't', id: 'p' });
  });

  it('that its message cannot say is not written', () => {
    expect(() => encodeGrpcCall({ dialect: modern, operation: 'GetTask', params: { di: 't' } })).toThrow(
      /does not write this GetTask/,
    );
  });
});
