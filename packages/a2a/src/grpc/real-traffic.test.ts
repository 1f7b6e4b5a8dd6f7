import { once } from 'node:events';
import { create, type DescMethod, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import {
  Client,
  type ClientReadableStream,
  compressionAlgorithms,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeExchange } from '../decode.ts';
import type { DecodedExchange } from '../decoded.ts';
import { ErrorInfoSchema } from './generated/google/rpc/error_details_pb.ts';
import { StatusSchema } from './generated/google/rpc/status_pb.ts';
import {
  A2AService,
  CancelTaskRequestSchema,
  type GetTaskRequest,
  GetTaskRequestSchema,
  type ListTasksRequest,
  ListTasksRequestSchema,
  ListTasksResponseSchema,
  Role,
  type SendMessageRequest,
  SendMessageRequestSchema,
  type StreamResponse,
  StreamResponseSchema,
  TaskSchema,
  TaskState,
} from './generated/lf/a2a/v1/a2a_pb.ts';
import { type RecordingH2, recordingH2 } from './recording-h2.fixture.ts';

/** What grpc-js needs to know of a method. */
const definition = ({ name, input, output, methodKind }: DescMethod) => ({
  path: `/${A2AService.typeName}/${name}`,
  requestStream: false,
  responseStream: methodKind === 'server_streaming',
  requestSerialize: (message: Message) => Buffer.from(toBinary(input, message)),
  requestDeserialize: (bytes: Buffer) => fromBinary(input, bytes),
  responseSerialize: (message: Message) => Buffer.from(toBinary(output, message)),
  responseDeserialize: (bytes: Buffer) => fromBinary(output, bytes),
});
const service = Object.fromEntries(A2AService.methods.map((method) => [method.name, definition(method)]));

const task = (state: TaskState, text = '') =>
  create(TaskSchema, {
    id: 'task-1',
    contextId: 'ctx-1',
    status: { state },
    ...(text === ''
      ? {}
      : { artifacts: [{ artifactId: 'a', parts: [{ content: { case: 'text', value: text } }] }] }),
  });

const update = (state: TaskState) =>
  create(StreamResponseSchema, {
    payload: { case: 'statusUpdate', value: { taskId: 'task-1', contextId: 'ctx-1', status: { state } } },
  });

function notFound(): { code: number; details: string; metadata: Metadata } {
  const metadata = new Metadata();
  const info = create(ErrorInfoSchema, { reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' });
  const details = create(StatusSchema, {
    code: 5,
    message: 'Kein Täsk',
    details: [anyPack(ErrorInfoSchema, info)],
  });
  metadata.set('grpc-status-details-bin', Buffer.from(toBinary(StatusSchema, details)));
  return { code: status.NOT_FOUND, details: 'Kein Täsk', metadata };
}

const long = 'lorem ipsum '.repeat(10_000);

const handlers = {
  GetTask({ request }: ServerUnaryCall<GetTaskRequest, Message>, done: sendUnaryData<Message>): void {
    if (request.id === 'late') return;
    if (request.id === 'task-1') done(null, task(TaskState.COMPLETED, long));
    else done(notFound());
  },
  ListTasks(_: ServerUnaryCall<ListTasksRequest, Message>, done: sendUnaryData<Message>): void {
    done(null, create(ListTasksResponseSchema, { pageSize: 50 }));
  },
  SendStreamingMessage(call: ServerWritableStream<SendMessageRequest, Message>): void {
    call.write(create(StreamResponseSchema, { payload: { case: 'task', value: task(TaskState.SUBMITTED) } }));
    call.write(update(TaskState.WORKING));
    const part = call.request.message?.parts[0]?.content;
    if (part?.case === 'text' && part.value === 'for ever') return;
    setTimeout(() => {
      call.write(update(TaskState.COMPLETED));
      call.end();
    }, 30);
  },
};

const message = (text: string) =>
  create(SendMessageRequestSchema, {
    message: { messageId: 'm-1', role: Role.USER, parts: [{ content: { case: 'text', value: text } }] },
  });

let server: Server;
let recorder: RecordingH2;
let client: Client;

beforeAll(async () => {
  server = new Server();
  server.addService(service, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  recorder = await recordingH2(port);
  client = new Client(`127.0.0.1:${recorder.port}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': compressionAlgorithms.identity,
  });
});
afterAll(async () => {
  client.close();
  server.forceShutdown();
  await recorder[Symbol.asyncDispose]();
});

const rpc = (name: string) => {
  const method = A2AService.methods.find((each) => each.name === name);
  if (method === undefined) throw new Error(`A2A has no ${name}`);
  return definition(method);
};
const metadata = (): Metadata => {
  const all = new Metadata();
  all.set('a2a-version', '1.0');
  return all;
};

/** Makes a unary call, whatever comes of it, and gives what the recorder saw. */
async function unary(name: string, request: Message, options = {}, over = client): Promise<DecodedExchange> {
  const before = recorder.exchanges.length;
  const { path, requestSerialize, responseDeserialize } = rpc(name);
  await new Promise((resolve) => {
    over.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata(), options, resolve);
  });
  return recorded(before);
}

async function recorded(index: number): Promise<DecodedExchange> {
  await expect.poll(() => recorder.exchanges.length).toBeGreaterThan(index);
  const captured = recorder.exchanges[index];
  if (captured === undefined) throw new Error('nothing was recorded');
  return decodeExchange(captured);
}

function stream(text: string): ClientReadableStream<Message> {
  const { path, requestSerialize, responseDeserialize } = rpc('SendStreamingMessage');
  return client.makeServerStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    message(text),
    metadata(),
  );
}

describe('traffic of grpc-js', () => {
  it('is read from a unary call', async () => {
    const got = await unary('GetTask', create(GetTaskRequestSchema, { id: 'task-1', historyLength: 0 }));
    expect(got).toMatchObject({
      dialect: { version: '1.0', binding: 'GRPC' },
      operation: 'GetTask',
      request: { params: { id: 'task-1', historyLength: 0 }, a2aVersion: '1.0', messages: 1 },
      response: { complete: true, error: undefined, grpcStatus: { code: 0, from: 'trailers' } },
    });
    // More than one DATA frame of HTTP/2.
    expect(got.captured.response?.body.chunks.length).toBeGreaterThan(1);
    expect(got.payloads).toMatchObject([
      { kind: 'task', task: { status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
    expect(JSON.stringify(got.response?.result)).toContain(long);
    const list = await unary('ListTasks', create(ListTasksRequestSchema));
    expect(list.response?.result).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
  });

  it('is read from a stream, with the time of each event', async () => {
    const before = recorder.exchanges.length;
    const call = stream('hello');
    const got: StreamResponse[] = [];
    call.on('data', (event) => got.push(event));
    await once(call, 'end');
    const decoded = await recorded(before);
    const events = decoded.response?.events ?? [];
    expect(events).toHaveLength(got.length);
    expect(decoded.payloads.map(({ kind, event }) => [kind, event])).toEqual([
      ['message', undefined],
      ['task', 0],
      ['statusUpdate', 1],
      ['statusUpdate', 2],
    ]);
    expect((events[2]?.atNs ?? 0) - (events[1]?.atNs ?? 0)).toBeGreaterThan(10_000_000);
    expect(decoded.response).toMatchObject({ complete: true, grpcStatus: { name: 'OK' } });
  });

  it('is read from an error with details, which is a response of trailers alone', async () => {
    const failed = await unary('GetTask', create(GetTaskRequestSchema, { id: 'task-9' }));
    expect(failed.response).toMatchObject({
      complete: true,
      error: {
        code: 5,
        name: 'TaskNotFoundError',
        message: 'Kein Täsk',
        errorInfo: { reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
      },
      grpcStatus: { inDetails: { code: 5, message: 'Kein Täsk' } },
    });
    expect(failed.response?.messages).toBe(0);
    const none = await unary('CancelTask', create(CancelTaskRequestSchema, { id: 'x' }));
    expect(none.response).toMatchObject({ complete: true, error: { code: 12 } });
  });

  it('is open where the client cancels or its deadline comes', async () => {
    const before = recorder.exchanges.length;
    const call = stream('for ever');
    call.on('error', () => {});
    await once(call, 'data');
    call.cancel();
    const cancelled = await recorded(before);
    expect(cancelled.captured.end.kind).toBe('client-abort');
    expect(cancelled.response).toMatchObject({ complete: false, error: undefined });
    expect(cancelled.response?.events?.length).toBeGreaterThan(0);

    const late = await unary('GetTask', create(GetTaskRequestSchema, { id: 'late' }), {
      deadline: Date.now() + 100,
    });
    expect(late.request.params).toEqual({ id: 'late' });
    expect(late.response?.complete ?? false).toBe(late.response?.grpcStatus !== undefined);
    expect(late.response?.error?.code ?? 4).toBe(4);
  });

  it('is read where it is compressed', async () => {
    const compressing = new Client(`127.0.0.1:${recorder.port}`, credentials.createInsecure(), {
      'grpc.default_compression_algorithm': compressionAlgorithms.gzip,
    });
    const got = await unary('SendMessage', message(long), {}, compressing);
    compressing.close();
    const { request } = got.captured;
    expect(request.headers).toContain('gzip');
    expect(request.body.totalBytes).toBeLessThan(long.length / 10);
    expect(got.payloads[0]).toMatchObject({ kind: 'message', message: { parts: [{ text: long }] } });
  });
});
