import { Client, credentials, Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import { encodeGrpcMessage } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { expect, it } from 'vitest';
import { createInterposer } from '../interposer.ts';
import { MemorySink } from '../testing/memory-sink.ts';

const service = '/lf.a2a.v1.A2AService/';
const same = (bytes: Buffer): Buffer => bytes;
/** The value of the `grpc-encoding` gzip, as grpc-js counts them. */
const gzip = 2;

function message(method: string, side: 'request' | 'response', value: Json): Buffer {
  return Buffer.from(encodeGrpcMessage(service + method, side, value) ?? []).subarray(5);
}

/** An agent that keeps configs as bytes, and gives back what it was given. */
async function agent(options: object) {
  const server = new Server(options);
  const seen: Buffer[] = [];
  const unary = (method: string) => ({
    path: service + method,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  });
  server.addService(
    { create: unary('CreateTaskPushNotificationConfig'), get: unary('GetTaskPushNotificationConfig') },
    {
      create: (
        call: { request: Buffer },
        done: (error: null, response: Buffer, trailers: Metadata) => void,
      ) => {
        seen.push(call.request);
        const trailers = new Metadata();
        trailers.set('x-kept', 'yes');
        done(null, call.request, trailers);
      },
      get: (
        _call: unknown,
        done: (error: { code: number; details: string } | null, response?: Buffer) => void,
      ) => {
        const last = seen.at(-1);
        if (last === undefined) done({ code: 5, details: 'there is none' });
        else done(null, last);
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { origin: `http://127.0.0.1:${port}`, seen, [Symbol.dispose]: () => server.forceShutdown() };
}

it.each([
  ['plain', {}],
  ['compressed', { 'grpc.default_compression_algorithm': gzip }],
])(
  'a client and a server of grpc-js agree on a webhook through the tap: %s messages',
  async (_name, options) => {
    using bob = await agent(options);
    const sink = new MemorySink();
    await using interposer = createInterposer({ sink, run: sink.run, drainMs: 50 });
    const tap = await interposer.openTap({
      caller: 'alice',
      callee: 'bob',
      kind: 'a2a',
      upstream: bob.origin,
    });
    const hook = await interposer.openTap({
      caller: 'bob',
      callee: 'inbox',
      kind: 'webhook',
      upstream: 'http://inbox.example',
    });
    const client = new Client(new URL(tap.origin).host, credentials.createInsecure(), options);
    const call = (method: string, request: Buffer) =>
      new Promise<{ response: Buffer | undefined; code: number; trailers: Metadata }>((resolve) => {
        let response: Buffer | undefined;
        const stream = client.makeUnaryRequest(service + method, same, same, request, (_error, value) => {
          response = value;
        });
        stream.on('status', ({ code, metadata }) =>
          setImmediate(() => resolve({ response, code, trailers: metadata })),
        );
      });

    const get = message('GetTaskPushNotificationConfig', 'request', { taskId: 't', id: 'c' });
    expect((await call('GetTaskPushNotificationConfig', get)).code).toBe(5);
    // Long enough to be worth compressing.
    const config = { taskId: 't', url: 'http://inbox.example/hook', token: 'x'.repeat(2000) };
    const request = message('CreateTaskPushNotificationConfig', 'request', config);
    const created = await call('CreateTaskPushNotificationConfig', request);
    expect(created).toMatchObject({ code: 0, response: request });
    expect(created.trailers.get('x-kept')).toEqual(['yes']);
    expect((await call('GetTaskPushNotificationConfig', get)).response).toEqual(request);
    expect(bob.seen[0]?.toString('latin1')).toContain(`${hook.origin}/.plugfest/webhook/`);
    client.close();
  },
);
