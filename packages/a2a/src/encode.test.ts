import type { Binding, Dialect, Json, JsonObject, ProtocolVersion } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured } from './captured.fixture.ts';
import { decodeExchange } from './decode.ts';
import type { EncodedRequest } from './encode/spec.ts';
import { canEncode, encodeRequest } from './encode.ts';
import { operations, protocolVersions } from './operations.ts';

const bindings: readonly Binding[] = ['JSONRPC', 'HTTP+JSON', 'GRPC'];
const jsonRpc10: Dialect = { version: '1.0', binding: 'JSONRPC' };
const jsonRpc03: Dialect = { version: '0.3', binding: 'JSONRPC' };
const rest10: Dialect = { version: '1.0', binding: 'HTTP+JSON' };

/** Params that fit every operation's request message. */
const params: JsonObject = {
  id: 'task/1 é',
  taskId: 'task/1 é',
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] },
};

function decodeEncoded({ method, url, headers, body }: EncodedRequest) {
  const { pathname, search } = new URL(url);
  return decodeExchange(
    captured({
      method,
      target: pathname + search,
      headers,
      ...(body === undefined ? {} : { bodyText: body }),
    }),
  );
}

const bodyOf = ({ body }: EncodedRequest): Json => JSON.parse(body ?? 'null');

describe('encodeRequest', () => {
  it('writes every operation it can so that the decoder reads it back', () => {
    let written = 0;
    for (const version of protocolVersions) {
      for (const binding of bindings) {
        for (const { operation } of operations) {
          const dialect = { version, binding };
          const spec = { dialect, operation, params, id: 7, baseUrl: 'http://agent.example/a2a' };
          if (!canEncode(dialect, operation)) {
            expect(() => encodeRequest(spec)).toThrow(/does not write/);
            continue;
          }
          written++;
          const decoded = decodeEncoded(encodeRequest(spec));
          expect(decoded).toMatchObject({ kind: 'operation', operation, dialect });
          expect(decoded.request.rpc?.id).toBe(binding === 'JSONRPC' ? 7 : undefined);
        }
      }
    }
    expect(written).toBe(11 + 11 + 10 + 11);
  });

  it('announces 1.0, and the media types of each binding', () => {
    const encode = (dialect: Dialect, operation: 'SendMessage' | 'SendStreamingMessage' | 'GetTask') =>
      encodeRequest({ dialect, operation, params, id: 1, baseUrl: 'http://a' }).headers;
    expect(encode(jsonRpc10, 'SendMessage')).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'a2a-version': '1.0',
    });
    expect(encode(jsonRpc03, 'SendStreamingMessage')).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
    });
    expect(encode(rest10, 'SendMessage')['content-type']).toBe('application/a2a+json');
    expect(encode(rest10, 'GetTask')).not.toHaveProperty('content-type');
  });

  it('puts inputs of HTTP+JSON into path, query and body', () => {
    const url = (
      operation: 'GetTask' | 'ListTasks' | 'SubscribeToTask',
      given: JsonObject,
      baseUrl = 'http://a/x/',
    ) => encodeRequest({ dialect: rest10, operation, params: given, id: 1, baseUrl });
    expect(url('GetTask', { id: 'a/b:c', historyLength: 0 })).toMatchObject({
      method: 'GET',
      url: 'http://a/x/tasks/a%2Fb%3Ac?historyLength=0',
      body: undefined,
    });
    expect(url('ListTasks', { pageToken: 'a+b c', includeArtifacts: false }).url).toBe(
      'http://a/x/tasks?pageToken=a%2Bb%20c&includeArtifacts=false',
    );
    expect(url('ListTasks', { pageSize: 2 }, 'http://a/x?key=1').url).toBe(
      'http://a/x/tasks?key=1&pageSize=2',
    );
    expect(url('SubscribeToTask', { id: 't' })).toMatchObject({
      method: 'POST',
      url: 'http://a/x/tasks/t:subscribe',
      body: undefined,
    });
    const create = encodeRequest({
      dialect: rest10,
      operation: 'CreateTaskPushNotificationConfig',
      params: { taskId: 't', url: 'http://hook' },
      id: 1,
      baseUrl: 'http://a',
    });
    expect([create.url, bodyOf(create)]).toEqual([
      'http://a/tasks/t/pushNotificationConfigs',
      { url: 'http://hook' },
    ]);
  });

  it('carries the tenant as member or as path segment, never to 0.3', () => {
    const encode = (dialect: Dialect) =>
      encodeRequest({
        dialect,
        operation: 'CancelTask',
        params: { id: 't' },
        id: 1,
        baseUrl: 'http://a',
        tenant: 'a b',
      });
    expect(bodyOf(encode(jsonRpc10))).toMatchObject({ params: { id: 't', tenant: 'a b' } });
    expect(encode(rest10)).toMatchObject({ url: 'http://a/a%20b/tasks/t:cancel', body: '{}' });
    expect(bodyOf(encode(jsonRpc03))).toMatchObject({ params: { id: 't' } });
  });

  it('writes 1.0 params in their 0.3 shapes', () => {
    const legacy = (operation: (typeof operations)[number]['operation'], given: JsonObject): Json => {
      const body = bodyOf(
        encodeRequest({ dialect: jsonRpc03, operation, params: given, id: 1, baseUrl: 'http://a' }),
      );
      return (body as JsonObject).params ?? null;
    };
    const parts = [
      { text: 'hi', metadata: { a: 1 } },
      { raw: 'AA==', filename: 'f', mediaType: 'image/png' },
      { url: 'http://f' },
      { data: { a: 1 } },
      { data: [1] },
    ];
    const config = { url: 'u', token: 't', authentication: { scheme: 'Bearer', credentials: 'c' } };
    expect(
      legacy('SendMessage', {
        message: { messageId: 'm', role: 'ROLE_USER', taskId: 't', parts },
        configuration: { historyLength: 3, returnImmediately: true, taskPushNotificationConfig: config },
        metadata: { k: 1 },
      }),
    ).toEqual({
      message: {
        kind: 'message',
        messageId: 'm',
        role: 'user',
        taskId: 't',
        parts: [
          { kind: 'text', text: 'hi', metadata: { a: 1 } },
          { kind: 'file', file: { name: 'f', mimeType: 'image/png', bytes: 'AA==' } },
          { kind: 'file', file: { uri: 'http://f' } },
          { kind: 'data', data: { a: 1 } },
          { kind: 'data', data: { value: [1] } },
        ],
      },
      configuration: {
        historyLength: 3,
        blocking: false,
        pushNotificationConfig: {
          url: 'u',
          token: 't',
          authentication: { schemes: ['Bearer'], credentials: 'c' },
        },
      },
      metadata: { k: 1 },
    });
    expect(legacy('SendMessage', { message: {} })).toEqual({
      message: { kind: 'message' },
      configuration: { blocking: true },
    });
    expect(legacy('SendStreamingMessage', { message: {} })).toEqual({ message: { kind: 'message' } });
    expect(legacy('CreateTaskPushNotificationConfig', { taskId: 't', id: 'p', url: 'u' })).toEqual({
      taskId: 't',
      pushNotificationConfig: { id: 'p', url: 'u' },
    });
    expect(legacy('GetTaskPushNotificationConfig', { taskId: 't', id: 'p' })).toEqual({
      id: 't',
      pushNotificationConfigId: 'p',
    });
    expect(legacy('ListTaskPushNotificationConfigs', { taskId: 't' })).toEqual({ id: 't' });
    expect(legacy('GetTask', { id: 't', historyLength: 0 })).toEqual({ id: 't', historyLength: 0 });
    expect(legacy('GetExtendedAgentCard', { tenant: 'x' })).toBeNull();
  });

  const legacyParamsOf = (operation: (typeof operations)[number]['operation'], given?: JsonObject): Json => {
    const spec = { dialect: jsonRpc03, operation, id: 1, baseUrl: 'http://a' };
    const body = bodyOf(encodeRequest(given === undefined ? spec : { ...spec, params: given }));
    return (body as JsonObject).params ?? null;
  };

  it('writes for 0.3 what is of a wrong shape as it is', () => {
    const authentication = 'Bearer x';
    for (const params of [
      { taskId: 't', url: 'u', authentication },
      { taskId: 't', url: 'u', authentication: null },
    ])
      expect(legacyParamsOf('CreateTaskPushNotificationConfig', params)).toEqual({
        taskId: 't',
        pushNotificationConfig: { url: 'u', authentication: params.authentication },
      });
    expect(
      legacyParamsOf('CreateTaskPushNotificationConfig', { url: 'u', authentication: { credentials: 'c' } }),
    ).toEqual({ pushNotificationConfig: { url: 'u', authentication: { credentials: 'c' } } });
    expect(legacyParamsOf('SendStreamingMessage', { message: 'hi', configuration: 7 })).toEqual({
      message: 'hi',
    });
    expect(legacyParamsOf('SendMessage', { message: { parts: 'x', role: 'ROLE_AGENT' } })).toMatchObject({
      message: { parts: 'x', role: 'agent' },
    });
    expect(
      legacyParamsOf('SendStreamingMessage', {
        message: { parts: [{ data: null }, { data: 'x' }, { text: '', raw: 'AA==' }] },
        configuration: { taskPushNotificationConfig: 7 },
      }),
    ).toEqual({
      message: {
        kind: 'message',
        parts: [
          { kind: 'data', data: { value: null } },
          { kind: 'data', data: { value: 'x' } },
          { kind: 'text', text: '' },
        ],
      },
      configuration: { pushNotificationConfig: 7 },
    });
    expect(legacyParamsOf('SendMessage')).toEqual({ configuration: { blocking: true } });
  });

  it('spells states for 0.3, and leaves the tenant out', () => {
    expect(legacyParamsOf('GetTask', { id: 't', tenant: 'x', status: 'TASK_STATE_INPUT_REQUIRED' })).toEqual({
      id: 't',
      status: 'input-required',
    });
    expect(legacyParamsOf('GetTask', { id: 't', status: 'BUSY' })).toEqual({ id: 't', status: 'BUSY' });
    expect(legacyParamsOf('SendStreamingMessage', { message: {}, tenant: 'x' })).toEqual({
      message: { kind: 'message' },
    });
    expect(legacyParamsOf('DeleteTaskPushNotificationConfig', { taskId: 't', id: 'p' })).toEqual({
      id: 't',
      pushNotificationConfigId: 'p',
    });
  });

  const rest = (
    operation: (typeof operations)[number]['operation'],
    given?: JsonObject,
    baseUrl = 'http://a',
  ) => {
    const spec = { dialect: rest10, operation, id: 1, baseUrl, tenant: 'acme' };
    return encodeRequest(given === undefined ? spec : { ...spec, params: given });
  };

  it('has what is not text in no path, and objects in no query', () => {
    expect(rest('GetTask', { id: 7, historyLength: 2, metadata: {}, nothing: null }).url).toBe(
      'http://a/acme/tasks/?historyLength=2',
    );
    expect(rest('ListTasks').url).toBe('http://a/acme/tasks');
    expect(rest('DeleteTaskPushNotificationConfig', { taskId: 't', id: '$&' })).toMatchObject({
      method: 'DELETE',
      url: 'http://a/acme/tasks/t/pushNotificationConfigs/%24%26',
      body: undefined,
    });
    expect(rest('ListTaskPushNotificationConfigs', { taskId: 't', id: 'p' }).url).toBe(
      'http://a/acme/tasks/t/pushNotificationConfigs?id=p',
    );
    expect(rest('GetTask', { id: "$'" }).url).toBe("http://a/acme/tasks/%24'");
  });

  it('takes the tenant of the call before that of the interface, and keeps the query of its URL', () => {
    const sent = rest('SendMessage', { tenant: 'own', message: {} }, 'http://a/x//?key=a+b');
    expect([sent.url, bodyOf(sent)]).toEqual(['http://a/x/own/message:send?key=a%20b', { message: {} }]);
    expect(rest('ListTasks', { tenant: 7 }).url).toBe('http://a/acme/tasks');
    const given: JsonObject = { tenant: 'own', id: 't' };
    const rpc = encodeRequest({
      dialect: jsonRpc10,
      operation: 'GetTask',
      params: given,
      id: 1,
      baseUrl: 'u',
      tenant: 'x',
    });
    expect(bodyOf(rpc)).toEqual({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: given });
    const bare = encodeRequest({ dialect: jsonRpc10, operation: 'GetTask', id: 'a', baseUrl: 'u' });
    expect(bodyOf(bare)).toEqual({ jsonrpc: '2.0', id: 'a', method: 'GetTask', params: {} });
  });

  it('asks for a stream where there is one', () => {
    const accept = (operation: (typeof operations)[number]['operation']) =>
      rest(operation, params).headers.accept;
    expect([accept('SendStreamingMessage'), accept('SubscribeToTask')]).toEqual([
      'text/event-stream',
      'text/event-stream',
    ]);
    expect(accept('GetTask')).toBe('application/a2a+json, application/json');
    expect(rest('GetTask', params).headers['a2a-version']).toBe('1.0');
  });

  it('lets probes leave out or spoil any member', () => {
    const spoilt: JsonObject = { message: { parts: [{ nothing: 1 }, 7], role: 'ROLE_ROBOT' } };
    const versions: readonly ProtocolVersion[] = ['1.0', '0.3'];
    for (const version of versions) {
      const dialect: Dialect = { version, binding: 'JSONRPC' };
      const encoded = encodeRequest({
        dialect,
        operation: 'SendMessage',
        params: spoilt,
        id: 1,
        baseUrl: 'http://a',
      });
      expect(bodyOf(encoded)).toMatchObject({ params: { message: spoilt.message } });
    }
  });
});
