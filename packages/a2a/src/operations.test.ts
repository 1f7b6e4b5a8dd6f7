import { describe, expect, it } from 'vitest';
import { restRoute } from './decode/rest.ts';
import {
  grpcMethod,
  jsonRpcMethod,
  operationNames,
  operations,
  protocolVersions,
  wireMethodOf,
} from './operations.ts';

describe('operations', () => {
  it('are the eleven of 1.0, each with a name on every 1.0 binding', () => {
    expect(operations).toHaveLength(11);
    for (const { operation } of operations) {
      expect(wireMethodOf({ version: '1.0', binding: 'JSONRPC' }, operation)).toBe(operation);
      expect(wireMethodOf({ version: '1.0', binding: 'HTTP+JSON' }, operation)).toMatch(
        /^(GET|POST|DELETE) \//,
      );
      expect(wireMethodOf({ version: '1.0', binding: 'GRPC' }, operation)).toBe(
        `/lf.a2a.v1.A2AService/${operation}`,
      );
    }
  });

  it('have no other names', () => {
    expect(() => operationNames('NoSuch' as never)).toThrow('No such operation: NoSuch');
    expect(jsonRpcMethod('NoSuch')).toBeUndefined();
    expect(grpcMethod('/lf.a2a.v1.A2AService/CreateTaskPushNotification')).toBeUndefined();
    expect(grpcMethod('/a2a.v1.A2AService/CreateTaskPushNotification')).toEqual({
      operation: 'CreateTaskPushNotificationConfig',
      version: '0.2',
    });
  });

  it('are found again by each of their names', () => {
    for (const { operation, jsonrpc, grpc, rest } of operations) {
      for (const version of protocolVersions) {
        const method = jsonrpc[version];
        if (method !== undefined) {
          expect(jsonRpcMethod(method)?.operation).toBe(operation);
          expect(jsonRpcMethod(method)?.versions).toContain(version);
        }
        if (grpc[version] !== undefined) {
          const path = wireMethodOf({ version, binding: 'GRPC' }, operation) ?? '';
          expect(grpcMethod(path)).toEqual({ operation, version: version === '0.2' ? '0.3' : version });
        }
        const route = rest[version];
        if (route !== undefined) {
          const path = route.path.replace('{id}', 'task-1').replace('{configId}', 'config-1');
          expect(restRoute(route.verb, `/base${path}`)).toMatchObject({
            operation,
            pattern: route.path,
            base: '/base',
            v1: version === '0.3',
          });
        }
      }
    }
  });

  it('shares names between versions only where the specs do', () => {
    expect(jsonRpcMethod('tasks/get')?.versions).toEqual(['0.3', '0.2', '0.1']);
    expect(jsonRpcMethod('message/send')?.versions).toEqual(['0.3', '0.2']);
    expect(jsonRpcMethod('tasks/send')?.versions).toEqual(['0.1']);
    expect(jsonRpcMethod('constructor')).toBeUndefined();
  });
});

describe('restRoute', () => {
  it.each([
    ['GET', '/tasks/task%2F1', { operation: 'GetTask', taskId: 'task/1', base: '' }],
    ['POST', '/a/b/tasks/x:y:cancel', { operation: 'CancelTask', taskId: 'x:y', base: '/a/b' }],
    ['GET', '/v1/tasks/t:subscribe', { operation: 'SubscribeToTask', v1: true }],
    [
      'POST',
      '/task/t/pushNotificationConfigs',
      { operation: 'CreateTaskPushNotificationConfig', taskId: 't' },
    ],
    [
      'DELETE',
      '/tasks/t/pushNotificationConfigs/c',
      { operation: 'DeleteTaskPushNotificationConfig', configId: 'c' },
    ],
    ['GET', '/message:send', { operation: 'SendMessage' }],
    ['GET', '/v1/card', { operation: 'GetExtendedAgentCard' }],
    ['POST', '/tasks/t:pause', { operation: undefined }],
  ])('%s %s', (verb, path, route) => {
    expect(restRoute(verb, path)).toMatchObject(route);
  });

  it.each(['/', '', '*', '/a2a', '/card', '/message/send', '/pushNotificationConfigs'])(
    '%s is none',
    (path) => {
      expect(restRoute('POST', path)).toBeUndefined();
    },
  );
});
