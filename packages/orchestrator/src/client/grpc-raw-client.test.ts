import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { encodeGrpcMessage, wireMethodOf } from '@plugfest/a2a';
import type { Json, Operation } from '@plugfest/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dialect } from '../driver/drive.ts';
import { RawDriver } from '../driver/raw-driver.ts';
import { GrpcRawClient } from './grpc-raw-client.ts';
import { HttpClient } from './http.ts';
import { Http2Client } from './http2.ts';
import { NetworkError } from './network-error.ts';
import type { Address } from './raw-client.ts';

const modern: Dialect = { binding: 'GRPC', version: '1.0' };
const legacy: Dialect = { binding: 'GRPC', version: '0.3' };
const signal = new AbortController().signal;

/** Messages of a real server are bytes here: what is tested must not read what it wrote itself. */
const bytes = (value: Buffer): Buffer => value;
const method = (dialect: Dialect, operation: Operation, responseStream = false) => ({
  path: wireMethodOf(dialect, operation) ?? '',
  requestStream: false,
  responseStream,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
});

/** A message without its frame. */
function answer(dialect: Dialect, operation: Operation, value: Json): Buffer {
  const framed = encodeGrpcMessage(wireMethodOf(dialect, operation) ?? '', 'response', value);
  if (framed === undefined) throw new Error('no such message');
  return Buffer.from(framed.subarray(5));
}

const task = { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } };
const seen: { path: string; version: Json; agent: Json; bytes: Buffer }[] = [];

function unary(dialect: Dialect, operation: Operation, value: Json) {
  return (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>): void => {
    const { metadata, request } = call;
    const first = (name: string) => metadata.get(name).map(String)[0] ?? null;
    seen.push({
      path: call.getPath(),
      version: first('a2a-version'),
      agent: first('authorization'),
      bytes: request,
    });
    if (request.includes('gone')) {
      done({ code: status.NOT_FOUND, details: 'no such täsk', metadata: new Metadata() });
      return;
    }
    if (request.length === 0) {
      done({ code: status.INVALID_ARGUMENT, details: 'empty', metadata: new Metadata() });
      return;
    }
    done(null, answer(dialect, operation, value));
  };
}

function streaming(call: ServerWritableStream<Buffer, Buffer>): void {
  const event = (value: Json) => answer(modern, 'SendStreamingMessage', value);
  call.write(event({ task: { ...task, status: { state: 'TASK_STATE_WORKING' } } }));
  if (call.request.includes('refuse'))
    call.emit('error', { code: status.RESOURCE_EXHAUSTED, details: 'enough' });
  else if (call.request.includes('for ever')) return;
  else {
    call.write(
      event({ statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } } }),
    );
    call.end();
  }
}

let server: Server;
let http2: Http2Client;
let origin: string;

beforeAll(async () => {
  server = new Server();
  server.addService(
    {
      SendMessage: method(modern, 'SendMessage'),
      GetTask: method(modern, 'GetTask'),
      SendStreamingMessage: method(modern, 'SendStreamingMessage', true),
    },
    {
      SendMessage: unary(modern, 'SendMessage', { task }),
      GetTask: unary(modern, 'GetTask', task),
      SendStreamingMessage: streaming,
    },
  );
  server.addService(
    { SendMessage: method(legacy, 'SendMessage'), GetTask: method(legacy, 'GetTask') },
    { SendMessage: unary(legacy, 'SendMessage', { task }), GetTask: unary(legacy, 'GetTask', task) },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  origin = `http://127.0.0.1:${port}`;
  http2 = new Http2Client();
});
afterAll(async () => {
  await http2.close();
  server.forceShutdown();
});

const address = (): Address => ({
  name: 'amber',
  origin,
  cardPath: '/card',
  headers: { Authorization: 'Bearer x' },
  tokens: new Map(),
  isTap: () => true,
});
const client = (dialect: Dialect, url = origin) => new GrpcRawClient(http2, address(), dialect, { url });
const send = (text: string) => ({ message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text }] } });

describe('a call over gRPC', () => {
  test.each([
    [modern, '/lf.a2a.v1.A2AService/SendMessage', '1.0'],
    [legacy, '/a2a.v1.A2AService/SendMessage', null],
  ] as const)('goes to the service of its version, as %j', async (dialect, path, version) => {
    const result = await client(dialect).call('SendMessage', send('hello'), signal);
    expect(result).toMatchObject({
      ok: true,
      task: { id: 't1', contextId: 'c1' },
      grpcStatus: { name: 'OK' },
    });
    expect(seen.at(-1)).toMatchObject({ path, version, agent: 'Bearer x' });
    expect(seen.at(-1)?.bytes.toString()).toContain('hello');
  });

  test('in 0.3 names a task as a resource', async () => {
    await client(legacy).call('GetTask', { id: 't7' }, signal);
    expect(seen.at(-1)?.bytes.toString()).toContain('tasks/t7');
  });

  test('that is refused says so by name where the status has but one meaning', async () => {
    expect(await client(modern).call('GetTask', { id: 'gone' }, signal)).toMatchObject({
      ok: false,
      error: { name: 'TaskNotFoundError', code: 5, message: 'no such täsk' },
    });
    const unknown = await client(modern).unknownMethod('Dance', signal);
    expect(unknown).toMatchObject({ ok: false, error: { name: 'UNIMPLEMENTED' } });
    const empty = await client(modern).raw('SendMessage', '', signal);
    expect(empty).toMatchObject({ ok: false, grpcStatus: { name: 'INVALID_ARGUMENT' } });
  });

  test('with other metadata has those', async () => {
    const { headers } = await client(modern).withHeaders(
      'GetTask',
      { id: 't1' },
      { 'A2A-Version': '7', authorization: undefined },
      signal,
    );
    expect(seen.at(-1)).toMatchObject({ version: '7', agent: null });
    expect(headers['grpc-status']).toBe('0');
  });

  test('to where nobody is, or that nobody answers in time, is no answer', async () => {
    await expect(client(modern, 'http://127.0.0.1:9').call('GetTask', { id: 't' }, signal)).rejects.toThrow(
      NetworkError,
    );
    const soon = AbortSignal.timeout(100);
    await expect(
      client(modern).stream('SendStreamingMessage', send('for ever'), { signal: soon }),
    ).rejects.toThrow(/timeout/i);
  });
});

test('an answer that comes before the request is all sent is an answer', async () => {
  const hasty = createServer();
  hasty.on('stream', (stream) => {
    // Reads nothing: what the client sends further stays in its way.
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '8' },
      { endStream: true },
    );
    stream.on('error', () => {});
  });
  await new Promise<void>((resolve) => hasty.listen(0, '127.0.0.1', resolve));
  const { port } = hasty.address() as AddressInfo;
  const result = await client(modern, `http://127.0.0.1:${port}`).call(
    'SendMessage',
    send('x'.repeat(8 * 1024 * 1024)),
    AbortSignal.timeout(5000),
  );
  expect(result).toMatchObject({ ok: false, grpcStatus: { name: 'RESOURCE_EXHAUSTED' } });
  hasty.close();
});

describe('a stream over gRPC', () => {
  const stream = (text: string, stopAfterEvents?: number) =>
    client(modern).stream('SendStreamingMessage', send(text), {
      signal,
      ...(stopAfterEvents === undefined ? {} : { stopAfterEvents }),
    });

  test('gives its events in order, and who ended it', async () => {
    const { events, closedBy } = await stream('go');
    expect(events.map(({ task: one, statusUpdate }) => [one?.id, statusUpdate?.status.state])).toEqual([
      ['t1', undefined],
      [undefined, 'TASK_STATE_COMPLETED'],
    ]);
    expect(closedBy).toBe('server');
    expect(await stream('for ever', 1)).toMatchObject({ closedBy: 'client', events: [{}] });
  });

  test('that breaks off with a status keeps what came before', async () => {
    const answered = await stream('refuse');
    expect(answered).toMatchObject({ closedBy: 'server', error: { name: 'RESOURCE_EXHAUSTED' } });
    expect(answered.events).toHaveLength(1);
  });
});

test('a driver takes the address of a card as host and port', async () => {
  const card = {
    name: 'amber',
    version: '1',
    capabilities: {},
    skills: [],
    supportedInterfaces: [{ url: new URL(origin).host, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
  };
  const http = new HttpClient();
  const serves = Object.assign(http, {
    fetch: async () => ({
      status: 200,
      headers: {},
      contentType: 'application/json',
      text: JSON.stringify(card),
      cut: false,
    }),
  });
  const driver = new RawDriver(serves, address(), modern);
  const result = await driver.call({ op: 'GetTask', taskId: 't1' }, signal);
  expect(result).toMatchObject({ ok: true, events: [{ kind: 'task', state: 'TASK_STATE_COMPLETED' }] });
  await http.close();
});
