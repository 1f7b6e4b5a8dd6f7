import { deflateSync, gzipSync } from 'node:zlib';
import { create, type DescMessage, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import type { Json } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { captured, type ExchangeSketch } from '../captured.fixture.ts';
import { decodeExchange } from '../decode.ts';
import * as v03 from '../grpc/generated/a2a/v1/a2a_pb.ts';
import { ErrorInfoSchema, RetryInfoSchema } from '../grpc/generated/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../grpc/generated/google/rpc/status_pb.ts';
import * as v10 from '../grpc/generated/lf/a2a/v1/a2a_pb.ts';
import { limits } from '../limits.ts';
import { message, task } from '../protocol.fixture.ts';

const headers = { 'Content-Type': 'application/grpc' };
const asJson = { ...headers, 'x-plugfest-grpc-json': '1' };
const path = (method: string): string => `/lf.a2a.v1.A2AService/${method}`;
const ok = { 'grpc-status': '0' };

const decode = (sketch: ExchangeSketch) =>
  decodeExchange(captured({ imported: 'x-plugfest-grpc-json' in (sketch.headers ?? {}), ...sketch }));

function frame(bytes: Uint8Array, flags = 0): Uint8Array {
  const head = Buffer.alloc(5, flags);
  head.writeUInt32BE(bytes.byteLength, 1);
  return Buffer.concat([head, bytes]);
}

const binary = (type: DescMessage, json: Json): Uint8Array =>
  toBinary(type, fromJson(type, json as JsonValue));
const framed = (type: DescMessage, json: Json): Uint8Array => frame(binary(type, json));

const update: Json = {
  statusUpdate: { taskId: 'task-1', contextId: 'ctx-1', status: { state: 'TASK_STATE_COMPLETED' } },
};
const events: readonly Json[] = [{ task }, update];

/** A stream over the given chunks. */
const streamed = (chunks: readonly Uint8Array[], more: ExchangeSketch['response'] = {}) =>
  decode({
    target: path('SubscribeToTask'),
    headers,
    body: framed(v10.SubscribeToTaskRequestSchema, { id: 'task-1' }),
    response: { headers, chunks, trailers: ok, ...more },
  });

describe('a gRPC call', () => {
  it('has operation and version of its path', () => {
    expect(decode({ target: path('GetTask'), headers, body: Uint8Array.of(0, 0, 0, 0, 0) })).toMatchObject({
      kind: 'operation',
      dialect: { version: '1.0', binding: 'GRPC' },
      operation: 'GetTask',
      request: { json: { state: 'ok', value: {} } },
    });
    expect(decode({ target: '/a2a.v1.A2AService/TaskSubscription', headers })).toMatchObject({
      dialect: { version: '0.3' },
      operation: 'SubscribeToTask',
    });
    expect(decode({ target: '/a2a.v1.A2AService/GetTaskPushNotification', headers }).dialect).toEqual({
      version: '0.2',
      binding: 'GRPC',
    });
    expect(decode({ target: '/other.Service/Get', headers }).kind).toBe('other');
  });

  it('is one too where the path leads nowhere', () => {
    const lost = (target: string, version?: string) => {
      const metadata = version === undefined ? headers : { ...headers, 'a2a-version': version };
      const { kind, dialect, operation } = decode({ target, headers: metadata });
      return [kind, dialect?.version, operation];
    };
    expect(lost(path('Send'))).toEqual(['operation', '1.0', undefined]);
    expect(lost('/a2a.v1.A2AService/ListTasks')).toEqual(['operation', '0.3', undefined]);
    expect(lost('/google.a2a.A2AService/GetTask', '0.3')).toEqual(['operation', '0.3', undefined]);
    expect(lost('/A2AService/GetTask')).toEqual(['operation', '1.0', undefined]);
  });

  it('has the same payloads from bytes as from the JSON of an import', () => {
    const call = (form: 'bytes' | 'json'): ExchangeSketch => ({
      target: path('SendMessage'),
      headers: form === 'json' ? asJson : headers,
      body: form === 'json' ? { message } : framed(v10.SendMessageRequestSchema, { message }),
      response: {
        headers: form === 'json' ? asJson : headers,
        body: form === 'json' ? { task } : framed(v10.SendMessageResponseSchema, { task }),
        trailers: ok,
      },
    });
    const [bytes, json] = [decode(call('bytes')), decode(call('json'))];
    expect(bytes.payloads.map(({ side, kind, pointer }) => `${side} ${kind} ${pointer}`)).toEqual([
      'request message /message',
      'response task /task',
    ]);
    const facts = ({ payloads, request, response }: typeof bytes) => ({
      payloads,
      params: request.params,
      result: response?.result,
      complete: response?.complete,
    });
    expect(facts(bytes)).toEqual(facts(json));
  });

  it('of 0.3 has its ids under the names of 1.0 too', () => {
    const params = (method: string, type: DescMessage, json: Json) =>
      decode({ target: `/a2a.v1.A2AService/${method}`, headers, body: framed(type, json) }).request.params;
    expect(params('GetTask', v03.GetTaskRequestSchema, { name: 'tasks/task-1' })).toEqual({
      name: 'tasks/task-1',
      id: 'task-1',
    });
    const name = 'tasks/task-1/pushNotificationConfigs/c-1';
    const type = v03.DeleteTaskPushNotificationConfigRequestSchema;
    expect(params('DeleteTaskPushNotificationConfig', type, { name })).toEqual({
      name,
      taskId: 'task-1',
      id: 'c-1',
    });
  });

  it('of 0.3 gives the views that other bindings give', () => {
    const parts: Json = [
      { text: 'hello' },
      { file: { fileWithUri: 'https://a.example/x', mimeType: 'text/plain' } },
    ];
    const { payloads } = decode({
      target: '/a2a.v1.A2AService/SendMessage',
      headers,
      body: framed(v03.SendMessageRequestSchema, {
        message: { messageId: 'm-1', role: 'ROLE_USER', content: parts },
      }),
      response: {
        headers,
        trailers: ok,
        body: framed(v03.SendMessageResponseSchema, {
          task: { id: 'task-1', contextId: 'ctx-1', status: { state: 'TASK_STATE_CANCELLED' } },
        }),
      },
    });
    expect(payloads[0]).toMatchObject({
      kind: 'message',
      message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ kind: 'text' }, { kind: 'url' }] },
    });
    expect(payloads[1]).toMatchObject({ kind: 'task', task: { status: { state: 'TASK_STATE_CANCELED' } } });
  });
});

describe('the messages of a gRPC stream', () => {
  const bytes = Buffer.concat(events.map((event) => framed(v10.StreamResponseSchema, event)));

  it('are events with the arrival of their first and last byte, however the bytes are cut', () => {
    const first = framed(v10.StreamResponseSchema, events[0] ?? {}).byteLength;
    const single = streamed([...bytes].map((byte) => Uint8Array.of(byte)));
    expect(single.response?.events?.map(({ firstAtNs, atNs }) => [firstAtNs, atNs])).toEqual([
      [210, 210 + first - 1],
      [210 + first, 210 + bytes.byteLength - 1],
    ]);
    expect(single.payloads.map(({ kind, event }) => [kind, event])).toEqual([
      ['task', 0],
      ['statusUpdate', 1],
    ]);
    const once = streamed([bytes]);
    expect(once.response?.events?.map(({ payload }) => payload)).toEqual(
      single.response?.events?.map(({ payload }) => payload),
    );
  });

  it('are all only where a status was seen', () => {
    expect(streamed([bytes]).response).toMatchObject({ complete: true, grpcStatus: { code: 0 } });
    const open = decode({
      target: path('SubscribeToTask'),
      headers,
      response: { headers, chunks: [bytes] },
    });
    expect(open.response).toMatchObject({ complete: false, error: undefined });
    expect(open.response).not.toHaveProperty('grpcStatus');
    expect(streamed([bytes], { lostBytes: 3 }).response?.complete).toBe(false);
  });

  it('end in one that is cut off where the body was', () => {
    const cut = bytes.subarray(0, bytes.byteLength - 2);
    const lost = streamed([cut], { ended: false, trailers: {} }).response?.events?.at(-1);
    expect(lost).toMatchObject({ terminated: false, json: { state: 'truncated' } });
    const ended = streamed([cut]).response?.events?.at(-1);
    expect(ended).toMatchObject({ json: { state: 'invalid', problem: 'the body ends inside a message' } });
    expect(streamed([Buffer.concat([bytes, Uint8Array.of(0, 0)])]).response?.events).toHaveLength(3);
  });

  it('may be compressed, each by itself', () => {
    const [first, second] = events.map((event) => binary(v10.StreamResponseSchema, event));
    const mixed = [frame(gzipSync(first ?? ''), 1), frame(second ?? new Uint8Array())];
    const gzip = streamed(mixed, { headers: { ...headers, 'grpc-encoding': 'gzip' } });
    expect(gzip.payloads.map(({ kind }) => kind)).toEqual(['task', 'statusUpdate']);
    const deflate = streamed([frame(deflateSync(first ?? ''), 1)], {
      headers: { ...headers, 'grpc-encoding': 'deflate' },
    });
    expect(deflate.payloads.map(({ kind }) => kind)).toEqual(['task']);
  });

  it.each([
    ['invalid', {}, frame(gzipSync('x'), 1), 'no `grpc-encoding` says how'],
    ['invalid', { 'grpc-encoding': 'identity' }, frame(gzipSync('x'), 1), 'no `grpc-encoding`'],
    ['invalid', { 'grpc-encoding': 'gzip' }, frame(Buffer.from('no gzip'), 1), 'no valid gzip'],
    ['too-large', { 'grpc-encoding': 'snappy' }, frame(Buffer.from('x'), 1), 'snappy'],
    ['invalid', {}, frame(Buffer.from('x'), 2), 'the flags 2'],
    ['invalid', {}, frame(Uint8Array.of(0x0a, 0x7f)), 'longer than its message'],
    ['invalid', {}, frame(Uint8Array.of(0x08, 0x01)), 'field 1 (task) of lf.a2a.v1.StreamResponse'],
    ['invalid', {}, frame(Uint8Array.of(0x0a, 0x03, 0x0a, 0x01, 0xff)), 'no UTF-8'],
    ['invalid', {}, frame(Uint8Array.of(0x07)), 'no lf.a2a.v1.StreamResponse'],
  ] as const)('are %s with %o and %o', (state, more, bytes, problem) => {
    const event = streamed([bytes], { headers: { ...headers, ...more } }).response?.events?.[0];
    expect(event?.json).toMatchObject({ state, problem: expect.stringContaining(problem) });
  });

  it('are not read where they are longer, deeper or more than Plugfest reads', () => {
    const long = streamed([frame(Buffer.alloc(limits.bodyBytes + 1))]);
    expect(long.response?.events?.[0]?.json.state).toBe('too-large');
    const bomb = frame(gzipSync(Buffer.alloc(limits.bodyBytes + 1)), 1);
    const bombed = streamed([bomb], { headers: { ...headers, 'grpc-encoding': 'gzip' } });
    expect(bombed.response?.events?.[0]?.json.state).toBe('too-large');

    let deep = new Uint8Array(0);
    const nested = (tag: number, inner: Uint8Array) =>
      Buffer.concat([Uint8Array.of(tag), varint(inner.byteLength), inner]);
    // ListValue in Value in ListValue, without end.
    for (let level = 0; level < 600; level += 1) deep = nested(0x32, nested(0x0a, deep));
    const part = nested(0x2a, nested(0x22, deep));
    const sent = decode({ target: path('SendMessage'), headers, body: frame(nested(0x12, part)) });
    expect(sent.request.json.state).toBe('too-large');

    const many = Buffer.alloc(2 * (limits.values + 1));
    for (let at = 0; at < many.byteLength; at += 2) many[at] = 0x2a;
    const full = decode({ target: path('SendMessage'), headers, body: frame(nested(0x12, many)) });
    expect(full.request.json.state).toBe('too-large');
    expect(streamed([Buffer.alloc(5 * (limits.events + 1))]).response).toMatchObject({ complete: false });
  });

  it('may announce more than ever comes', () => {
    const announced = Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3]);
    expect(streamed([announced]).response?.events?.[0]?.json.state).toBe('invalid');
    const lost = streamed([announced], { ended: false, trailers: {} });
    expect(lost.response?.events?.[0]?.json.state).toBe('truncated');
  });

  it('say which fields they have that their definition has not', () => {
    const odd = Buffer.concat([
      binary(v10.StreamResponseSchema, update),
      // A field 99 of the event, and one of its status update's status.
      Uint8Array.of(0x9a, 0x06, 0x01, 0x78),
      Uint8Array.of(0x1a, 0x05, 0x1a, 0x03, 0x98, 0x06, 0x01),
    ]);
    expect(streamed([frame(odd)]).response?.events?.[0]?.json).toMatchObject({
      state: 'ok',
      unknownFields: [
        { message: 'lf.a2a.v1.StreamResponse', number: 99, wireType: 2, pointer: '' },
        { message: 'lf.a2a.v1.TaskStatus', number: 99, wireType: 0, pointer: '/statusUpdate/status' },
      ],
    });
  });

  it('are no ProtoJSON where the value has none', () => {
    const far = create(v10.StreamResponseSchema, {
      payload: {
        case: 'statusUpdate',
        value: { taskId: 't', contextId: 'c', status: { timestamp: { seconds: 10n ** 15n } } },
      },
    });
    const { json } = streamed([frame(toBinary(v10.StreamResponseSchema, far))]).response?.events?.[0] ?? {};
    expect(json).toMatchObject({ state: 'invalid', problem: expect.stringContaining('9999') });
  });
});

describe('messages that an import stored as JSON', () => {
  const read = (method: string, body: Json) =>
    decode({ target: path(method), headers: asJson, body }).request.json;

  it('have the names, enums and absences that their bytes would have', () => {
    const sent = read('SendMessage', {
      message: {
        message_id: 'm-1',
        context_id: '',
        role: 1,
        parts: [{ text: '', media_type: 'text/plain' }],
        metadata: { some_name: 0 },
      },
      configuration: { history_length: 0, return_immediately: false },
    });
    expect(sent.value).toEqual({
      message: {
        messageId: 'm-1',
        role: 'ROLE_USER',
        parts: [{ text: '', mediaType: 'text/plain' }],
        metadata: { some_name: 0 },
      },
      configuration: { historyLength: 0 },
    });
    expect(sent).not.toHaveProperty('unknownFields');
  });

  it('tell members that their definition has not, as those of another version', () => {
    const got = read('GetTask', { id: 'task-1', name: 'tasks/task-1' });
    expect(got.value).toEqual({ id: 'task-1', name: 'tasks/task-1' });
    expect(got.unknownFields).toEqual([{ message: 'lf.a2a.v1.GetTaskRequest', name: 'name', pointer: '' }]);
    const sent = read('SendMessage', {
      message: { messageId: 'm', content: [{ text: 'x' }], kind: 'message' },
    });
    expect(sent.unknownFields?.map(({ name, pointer }) => `${pointer} ${name}`)).toEqual([
      '/message content',
      '/message kind',
    ]);
  });

  it('are none where a peer only says so', () => {
    const body = Buffer.from('{"id":"task-1"}\n');
    const { request } = decode({ target: path('GetTask'), headers: asJson, body, imported: false });
    expect(request.json.state).toBe('invalid');
  });

  it('show an empty page as a reader of its bytes sees it', () => {
    const page = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
    const list = (form: typeof headers, body: Json | Uint8Array) =>
      decode({
        target: path('ListTasks'),
        headers: form,
        body: form === asJson ? {} : frame(new Uint8Array()),
        response: { headers: form, body, trailers: ok },
      });
    expect(list(asJson, page).response?.result).toEqual(page);
    expect(list(headers, framed(v10.ListTasksResponseSchema, page)).response?.result).toEqual(page);
  });
});

describe('a message of the other package', () => {
  const artifacts = [{ artifactId: 'a', name: 'out', parts: [{ text: 'done' }] }];
  const done = { id: 'task-1', contextId: 'ctx-1', status: { state: 'TASK_STATE_COMPLETED' }, artifacts };
  const request = (version: '0.3' | '1.0', method: string, body: Json | Uint8Array, form = headers) => {
    const service = version === '1.0' ? 'lf.a2a.v1' : 'a2a.v1';
    return decode({ target: `/${service}.A2AService/${method}`, headers: form, body }).request.json;
  };

  it.each([
    ['a2a.v1.GetTaskRequest', '1.0', 'GetTask', v03.GetTaskRequestSchema, { name: 'tasks/task-1' }],
    ['lf.a2a.v1.GetTaskRequest', '0.3', 'GetTask', v10.GetTaskRequestSchema, { id: 'task-1' }],
    [
      'a2a.v1.SendMessageRequest',
      '1.0',
      'SendMessage',
      v03.SendMessageRequestSchema,
      { message: { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hello' }] } },
    ],
    [
      'lf.a2a.v1.SendMessageRequest',
      '0.3',
      'SendMessage',
      v10.SendMessageRequestSchema,
      { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] } },
    ],
  ] as const)('is known by what it says: %s over %s', (type, version, method, schema, json) => {
    const expected = { state: 'invalid', otherPackage: type };
    expect(request(version, method, framed(schema as DescMessage, json as Json))).toMatchObject(expected);
    expect(request(version, method, json as Json, asJson)).toMatchObject(expected);
  });

  it('is known by the artifacts in it, whose numbers moved', () => {
    const answer = (target: string, bytes: Uint8Array) =>
      decode({ target, headers, response: { headers, body: bytes, trailers: ok } }).response?.json;
    expect(answer(path('GetTask'), framed(v03.TaskSchema, done))).toMatchObject({
      state: 'invalid',
      otherPackage: 'a2a.v1.Task',
    });
    expect(answer('/a2a.v1.A2AService/GetTask', framed(v10.TaskSchema, done))?.otherPackage).toBe(
      'lf.a2a.v1.Task',
    );
    expect(answer(path('GetTask'), framed(v10.TaskSchema, done))).not.toHaveProperty('otherPackage');
  });

  it('is not suspected where a message of its own package lacks something', () => {
    for (const json of [{}, { tenant: 'acme' }, { id: '', historyLength: 3 }])
      expect(request('1.0', 'GetTask', framed(v10.GetTaskRequestSchema, json)).state).toBe('ok');
    const nameless = { message: { role: 'ROLE_USER', parts: [{ text: 'hello' }] } };
    expect(request('1.0', 'SendMessage', framed(v10.SendMessageRequestSchema, nameless)).state).toBe('ok');
  });
});

describe('the status of a gRPC call', () => {
  const info = { reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org', metadata: { taskId: 'task-9' } };
  const status = (details = [anyPack(ErrorInfoSchema, create(ErrorInfoSchema, info))]) =>
    Buffer.from(
      toBinary(StatusSchema, create(StatusSchema, { code: 5, message: 'no task', details })),
    ).toString('base64');
  const failed = (trailers: Record<string, string>, method = 'GetTask') =>
    decode({ target: path(method), headers, response: { headers, trailers } }).response;

  it('is an error where it is not OK, in the trailers or in a head without any', () => {
    const inTrailers = failed({ 'grpc-status': '5', 'grpc-message': 'no%20task%3A%20%C3%A9' });
    expect(inTrailers?.error).toMatchObject({
      code: 5,
      message: 'no task: é',
      value: { status: 'NOT_FOUND' },
    });
    expect(inTrailers?.grpcStatus?.from).toBe('trailers');
    const head = decode({
      target: path('GetTask'),
      headers,
      response: { headers: { ...headers, 'grpc-status': '5' } },
    }).response;
    expect(head).toMatchObject({ complete: true, error: { code: 5 }, grpcStatus: { from: 'head' } });
    expect(failed(ok)?.error).toBeUndefined();
  });

  it.each([
    ['with padding', status()],
    ['without padding', status().replace(/=+$/, '')],
  ])('has its details as typed objects, %s', (_, bin) => {
    const { error, grpcStatus } = failed({ 'grpc-status': '5', 'grpc-status-details-bin': bin }) ?? {};
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...info }];
    expect(error).toMatchObject({ name: 'TaskNotFoundError', details, errorInfo: details[0] });
    expect(grpcStatus?.inDetails).toEqual({ code: 5, message: 'no task' });
    const json = failed({ 'grpc-status': '5', 'x-plugfest-grpc-details-json': JSON.stringify(details) });
    expect(json?.error).toEqual(error);
  });

  it('shows the types that Plugfest does not know by their bytes', () => {
    const details = [
      anyPack(RetryInfoSchema, create(RetryInfoSchema, { retryDelay: { seconds: 2n, nanos: 500_000_000 } })),
      {
        ...anyPack(ErrorInfoSchema, create(ErrorInfoSchema)),
        typeUrl: 'example.com/own.Type',
        value: Uint8Array.of(1),
      },
    ];
    const { error } = failed({ 'grpc-status': '14', 'grpc-status-details-bin': status(details) }) ?? {};
    expect(error?.details).toEqual([
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2.500s' },
      { '@type': 'example.com/own.Type', value: 'AQ==' },
    ]);
  });

  it('keeps what is no status apart from what is one', () => {
    expect(failed({ 'grpc-status': 'five' })).toMatchObject({
      error: { code: undefined, value: { code: 'five' } },
      grpcStatus: { text: 'five', name: undefined },
    });
    const broken = failed({ 'grpc-status': '5', 'grpc-status-details-bin': '////' });
    expect(broken?.grpcStatus?.detailsProblem).toBeDefined();
    expect(broken?.error?.details).toBeUndefined();
  });

  it('names the error by itself only where it can mean one', () => {
    expect(failed({ 'grpc-status': '5' })?.error?.name).toBe('TaskNotFoundError');
    expect(failed({ 'grpc-status': '5' }, 'SendMessage')?.error?.name).toBeUndefined();
    expect(failed({ 'grpc-status': '9' })?.error?.name).toBeUndefined();
  });
});

describe('gRPC-Web', () => {
  const trailers = frame(Buffer.from('grpc-status: 5\r\ngrpc-message: none\r\n'), 0x80);
  const sent = frame(new Uint8Array());
  const body = Buffer.concat([framed(v10.TaskSchema, task), trailers]);

  it('has its trailers in the body', () => {
    const type = { 'Content-Type': 'application/grpc-web+proto' };
    const { response } = decode({
      target: path('GetTask'),
      headers: type,
      body: sent,
      response: { headers: type, chunks: [body.subarray(0, 9), body.subarray(9)] },
    });
    expect(response).toMatchObject({
      result: { id: 'task-1' },
      complete: true,
      error: { code: 5, message: 'none' },
    });
  });

  it('may be base64, in pieces that are padded each', () => {
    const type = { 'Content-Type': 'application/grpc-web-text' };
    const text = [body.subarray(0, 7), body.subarray(7)].map((piece) =>
      Buffer.from(piece).toString('base64'),
    );
    const { response } = decode({
      target: path('GetTask'),
      headers: type,
      bodyText: Buffer.from(sent).toString('base64'),
      response: { headers: type, bodyText: text.join('') },
    });
    expect(response).toMatchObject({ result: { id: 'task-1' }, error: { code: 5 } });
  });
});

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
