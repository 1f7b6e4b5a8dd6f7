import { gzipSync } from 'node:zlib';
import { fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import type { CapturedBody, Json, RawHeaders } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { capturedBody } from '../captured.fixture.ts';
import { GetTaskRequestSchema, TaskSchema } from '../grpc/generated/lf/a2a/v1/a2a_pb.ts';
import { limits } from '../limits.ts';
import { grpcParams, grpcRequest, grpcResponse } from './grpc.ts';

const json = (value: Json): Uint8Array => Buffer.from(JSON.stringify(value));
const bytesOf = (value: Json): Uint8Array =>
  toBinary(GetTaskRequestSchema, fromJson(GetTaskRequestSchema, value as JsonValue));

function frame(bytes: Uint8Array, flags = 0): Uint8Array {
  const head = Buffer.alloc(5, flags);
  head.writeUInt32BE(bytes.byteLength, 1);
  return Buffer.concat([head, bytes]);
}

const request = (
  headers: RawHeaders,
  body: CapturedBody,
  type: typeof GetTaskRequestSchema | undefined = GetTaskRequestSchema,
) => grpcRequest(body, headers, type, true);

const protobuf = ['content-type', 'application/grpc'];
const imported = [...protobuf, 'x-plugfest-grpc-json', '1'];
const tooMany: CapturedBody = {
  chunks: [],
  totalBytes: limits.bodyBytes + 1,
  storedBytes: limits.bodyBytes + 1,
  endedAtNs: 7,
};

describe('gRPC messages that were recorded as JSON lines', () => {
  const headers = [...imported];
  const events = (body: CapturedBody) =>
    grpcResponse(
      { atNs: 1, status: 200, httpVersion: '2', headers, body },
      'SubscribeToTask',
      TaskSchema,
      true,
    ).events?.map(({ json: { state, value }, firstAtNs, atNs }) => [state, value ?? null, firstAtNs, atNs]);

  it('come at the time of their last byte, blank lines left out', () => {
    const chunks = ['{"id":"a"}\n \n{"id"', ':"b"}\n', '{"id":', '"c"}'].map((text) => Buffer.from(text));
    expect(events(capturedBody(chunks, 10))).toEqual([
      ['ok', { id: 'a' }, 10, 10],
      ['ok', { id: 'b' }, 11, 11],
      ['ok', { id: 'c' }, 13, 13],
    ]);
  });

  it('are cut only in the last line, and only where the body is not all there', () => {
    const chunks = [Buffer.from('{"id":\n{"id":')];
    expect(events(capturedBody(chunks, 10, { ended: false }))?.map(([state]) => state)).toEqual([
      'invalid',
      'truncated',
    ]);
    expect(events(capturedBody(chunks, 10))?.map(([state]) => state)).toEqual(['invalid', 'invalid']);
  });

  it('are not read where they are more than Plugfest reads', () => {
    expect(request(headers, tooMany)).toMatchObject({ json: { state: 'too-large' }, messages: 1 });
    const response = { atNs: 1, status: 200, httpVersion: '2', headers: [...headers, 'grpc-status', '0'] };
    const read = grpcResponse({ ...response, body: tooMany }, 'GetTask', TaskSchema, true);
    expect(read).toMatchObject({ json: { state: 'too-large' }, complete: false });
  });
});

describe('the bytes of a gRPC message', () => {
  const read = (bytes: Uint8Array, headers: RawHeaders, type?: typeof GetTaskRequestSchema) =>
    request(headers, capturedBody([bytes], 10), type).json;

  it('may be JSON where the media type says so', () => {
    const headers = ['content-type', 'application/grpc+json'];
    expect(read(frame(json({ id: 't', historyLength: 0 })), headers)).toMatchObject({
      state: 'ok',
      value: { id: 't', historyLength: 0 },
    });
    expect(read(frame(Buffer.from('{"id"')), headers).state).toBe('invalid');
    expect(read(frame(Buffer.from('{"id":"\xff"}', 'latin1')), headers).utf8).toBe(false);
  });

  it('mean nothing where the method is not known, unless they are JSON', () => {
    const unknown = (bytes: Uint8Array, headers: RawHeaders) =>
      grpcRequest(capturedBody([bytes], 10), headers, undefined, false);
    expect(unknown(frame(bytesOf({ id: 't' })), protobuf)).toMatchObject({
      json: { state: 'absent' },
      messages: 1,
    });
    expect(unknown(frame(json({ id: 't' })), ['content-type', 'application/grpc+json'])).toMatchObject({
      json: { value: { id: 't' } },
    });
  });

  it('are invalid where their compression ends early', () => {
    const compressed = gzipSync(bytesOf({ id: 't' }));
    const headers = [...protobuf, 'grpc-encoding', ' GZIP '];
    expect(read(frame(compressed, 1), headers)).toMatchObject({ state: 'ok', value: { id: 't' } });
    expect(read(frame(compressed.subarray(0, -4), 1), headers)).toMatchObject({
      state: 'invalid',
      problem: 'a compressed message ends early',
    });
  });

  it('are cut off where none came and the end was not seen', () => {
    expect(request(protobuf, capturedBody([], 10, { ended: false }))).toMatchObject({
      json: { state: 'truncated' },
      messages: 0,
    });
    expect(request(protobuf, capturedBody([], 10)).json.state).toBe('absent');
  });
});

describe('gRPC-Web as base64', () => {
  const headers = ['content-type', 'application/grpc-web-text+proto'];

  it('has its messages at the time of its last chunk', () => {
    const text = Buffer.from(frame(bytesOf({ id: 't' }))).toString('base64');
    const body = capturedBody([Buffer.from(text.slice(0, 5)), Buffer.from(text.slice(5))], 10);
    const response = { atNs: 1, status: 200, httpVersion: '1.1', headers, body };
    expect(grpcResponse(response, 'SubscribeToTask', GetTaskRequestSchema, false).events).toMatchObject([
      { json: { value: { id: 't' } }, firstAtNs: 11, atNs: 11 },
    ]);
    expect(request(headers, capturedBody([], 10))).toMatchObject({ messages: 0 });
  });

  it('is not read where it is more than Plugfest reads', () => {
    const response = { atNs: 1, status: 200, httpVersion: '1.1', headers: [...headers, 'grpc-status', '0'] };
    expect(grpcResponse({ ...response, body: tooMany }, 'GetTask', TaskSchema, false)).toMatchObject({
      complete: false,
      messages: 0,
    });
  });
});

describe('grpcParams', () => {
  it('reads resource names up to 0.3 only', () => {
    const value = { name: 'tasks/t/pushNotificationConfigs/c' };
    expect(grpcParams(value, '0.3', 'GetTaskPushNotificationConfig')).toEqual({
      ...value,
      taskId: 't',
      id: 'c',
    });
    expect(grpcParams(value, '0.3', 'GetTask')).toEqual({ ...value, id: 't' });
    expect(grpcParams(value, '1.0', 'GetTask')).toBe(value);
  });

  it('reads the name of the owner where there is no other, with and without a configuration', () => {
    const of = (parent: Json) => grpcParams({ parent }, '0.3', 'CreateTaskPushNotificationConfig');
    expect(of('tasks/t')).toEqual({ parent: 'tasks/t', taskId: 't' });
    expect(of('task/t/pushNotifications')).toEqual({ parent: 'task/t/pushNotifications', taskId: 't' });
    for (const parent of [
      '',
      'tasks/',
      'my-tasks/t',
      'tasks/t/other',
      'tasks/t/pushNotifications/c/d',
      ['tasks/t'],
      7,
    ])
      expect(of(parent)).toEqual({ parent });
  });
});
