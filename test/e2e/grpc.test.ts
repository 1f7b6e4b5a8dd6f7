import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type DescMethod, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import {
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { type DecodedExchange, decodeExchange } from '@plugfest/a2a';
import { openCapture, openCaptureSource } from '@plugfest/capture';
import { runId, type Verdict } from '@plugfest/model';
import { createInterposer, openLabAuthority } from '@plugfest/proxy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorInfoSchema } from '../../packages/a2a/src/grpc/generated/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../packages/a2a/src/grpc/generated/google/rpc/status_pb.ts';
import {
  A2AService,
  type GetTaskRequest,
  GetTaskRequestSchema,
  Role,
  type SendMessageRequest,
  SendMessageRequestSchema,
  SendMessageResponseSchema,
  StreamResponseSchema,
  TaskSchema,
  TaskState,
} from '../../packages/a2a/src/grpc/generated/lf/a2a/v1/a2a_pb.ts';
import { plugfest } from './plugfest.ts';
import { temporaryFolder } from './temporary-folder.ts';

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

const big = 'lorem ipsum '.repeat(350_000);

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

function notFound() {
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

const seen: { metadata: Metadata[]; cancelledAt: number } = { metadata: [], cancelledAt: 0 };

const handlers = {
  GetTask({ request, metadata }: ServerUnaryCall<GetTaskRequest, Message>, done: sendUnaryData<Message>) {
    seen.metadata.push(metadata);
    if (request.id === 'late') return;
    if (request.id === 'big') done(null, task(TaskState.COMPLETED, big));
    else if (request.id === 'task-1') done(null, task(TaskState.COMPLETED));
    else done(notFound());
  },
  SendMessage({ request }: ServerUnaryCall<SendMessageRequest, Message>, done: sendUnaryData<Message>) {
    const part = request.message?.parts[0]?.content;
    const text = part?.case === 'text' ? part.value : '';
    const value = create(TaskSchema, {
      id: 'x',
      contextId: String(text.length),
      status: { state: TaskState.COMPLETED },
    });
    done(null, create(SendMessageResponseSchema, { payload: { case: 'task', value } }));
  },
  SendStreamingMessage(call: ServerWritableStream<SendMessageRequest, Message>) {
    call.on('cancelled', () => {
      seen.cancelledAt = performance.now();
    });
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

type Method = { readonly input: DescMethod['input']; readonly output: DescMethod['output'] };

const limits = { 'grpc.max_receive_message_length': 16e6, 'grpc.max_metadata_size': 64e3 };

const folder = temporaryFolder();
const authority = openLabAuthority(join(folder, 'lab'));
const theirs = openLabAuthority(join(folder, 'theirs'));

describe.each(['plain', 'TLS'])('gRPC through a %s tap', (transport) => {
  const secure = transport === 'TLS';
  const file = join(folder, `${transport}.sqlite`);
  let server: Server;
  let client: Client;
  let close: () => Promise<void>;
  let exchanges: readonly DecodedExchange[] = [];
  const answers: Record<string, unknown> = {};

  const versioned = (): Metadata => {
    const metadata = new Metadata();
    metadata.set('a2a-version', '1.0');
    return metadata;
  };

  const unary = (
    method: Method & { readonly name: string },
    request: Message,
    metadata = versioned(),
    deadlineMs = 20_000,
  ) =>
    new Promise<Message | ServiceError>((resolve) => {
      client.makeUnaryRequest(
        `/${A2AService.typeName}/${method.name}`,
        (value: Message) => Buffer.from(toBinary(method.input, value)),
        (bytes: Buffer) => fromBinary(method.output, bytes),
        request,
        metadata,
        { deadline: Date.now() + deadlineMs },
        (error, value) => resolve(error ?? (value as Message)),
      );
    });

  const stream = (request: Message): ClientReadableStream<Message> => {
    const method = A2AService.method.sendStreamingMessage;
    return client.makeServerStreamRequest<Message, Message>(
      `/${A2AService.typeName}/${method.name}`,
      (value: Message) => Buffer.from(toBinary(method.input as DescMethod['input'], value)),
      (bytes: Buffer) => fromBinary(method.output as DescMethod['output'], bytes),
      request,
      versioned(),
    );
  };

  const get = (id: string, metadata?: Metadata, deadlineMs?: number) =>
    unary(A2AService.method.getTask, create(GetTaskRequestSchema, { id }), metadata, deadlineMs);

  beforeAll(async () => {
    server = new Server(limits);
    server.addService(service, handlers);
    const port = await new Promise<number>((resolve, reject) => {
      const identity = theirs.identityOf('127.0.0.1');
      const pair = {
        private_key: Buffer.from(identity?.key ?? ''),
        cert_chain: Buffer.from(identity?.cert ?? ''),
      };
      const offered = secure ? ServerCredentials.createSsl(null, [pair]) : ServerCredentials.createInsecure();
      server.bindAsync('127.0.0.1:0', offered, (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    const sink = openCapture({ file, run: runId('run-grpc') });
    const interposer = createInterposer({
      sink,
      run: sink.run,
      tracing: 'inject',
      ...(secure ? { tls: authority, upstreamCa: theirs.certificate } : {}),
    });
    for (const [name, kind] of [
      ['client', 'harness'],
      ['agent', 'agent'],
    ] as const)
      sink.record({ kind: 'participant', participant: { name, kind } });
    const upstream = `${secure ? 'https' : 'http'}://127.0.0.1:${port}`;
    const tap = await interposer.openTap({ caller: 'client', callee: 'agent', kind: 'a2a', upstream });
    const trust = secure
      ? credentials.createSsl(Buffer.from(authority.certificate))
      : credentials.createInsecure();
    client = new Client(new URL(tap.origin).host, trust, limits);
    seen.metadata = [];
    close = async () => {
      client.close();
      await interposer.close();
      await sink.close();
      server.forceShutdown();
    };

    answers.unary = await get('task-1');
    answers.error = await get('task-2');
    const metadata = versioned();
    metadata.set('x-big', 'm'.repeat(20_000));
    metadata.set('x-some-bin', Buffer.from([0, 255, 1]));
    metadata.set('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
    answers.metadata = await get('task-1', metadata);
    answers.big = await get('big');
    answers.bigRequest = await unary(A2AService.method.sendMessage, message(big));
    answers.deadline = await get('late', undefined, 150);
    answers.stream = await new Promise((resolve) => {
      const states: string[] = [];
      const call = stream(message('work'));
      call.on('data', (value: { payload: { case: string } }) => states.push(value.payload.case));
      call.on('status', ({ code }) => resolve([...states, code]));
      call.on('error', () => undefined);
    });
    answers.cancel = await new Promise((resolve) => {
      const call = stream(message('for ever'));
      let cancelledAt = 0;
      call.on('data', () => {
        if (cancelledAt === 0) setImmediate(() => call.cancel());
        cancelledAt ||= performance.now();
      });
      call.on('error', () => undefined);
      call.on('status', ({ code }) => {
        setTimeout(() => resolve({ code, ms: seen.cancelledAt - cancelledAt }), 300);
      });
    });
    await close();
    const source = openCaptureSource(file);
    exchanges = [...source.exchanges()].map((exchange) => decodeExchange(exchange));
    source.close();
  }, 60_000);

  afterAll(() => server.forceShutdown());

  it('is answered as without it', () => {
    expect(answers.unary).toMatchObject({ id: 'task-1', contextId: 'ctx-1' });
    expect(answers.error).toMatchObject({ code: status.NOT_FOUND, details: 'Kein Täsk' });
    const details = (answers.error as ServiceError).metadata.get('grpc-status-details-bin')[0];
    expect(fromBinary(StatusSchema, details as Buffer)).toMatchObject({ code: 5, message: 'Kein Täsk' });
    expect(answers.stream).toEqual(['task', 'statusUpdate', 'statusUpdate', 0]);
  });

  it('keeps big metadata, binary metadata and messages of 4 MB', () => {
    expect(seen.metadata[2]?.get('x-big')).toEqual(['m'.repeat(20_000)]);
    expect(seen.metadata[2]?.get('x-some-bin')).toEqual([Buffer.from([0, 255, 1])]);
    expect(answers.big).toMatchObject({ artifacts: [{ parts: [{ content: { value: big } }] }] });
    expect(answers.bigRequest).toMatchObject({
      payload: { value: { contextId: String(big.length) } },
    });
  });

  it('passes deadlines on, and the cancel at once', () => {
    expect(answers.deadline).toMatchObject({ code: status.DEADLINE_EXCEEDED });
    expect(answers.cancel).toMatchObject({ code: status.CANCELLED, ms: expect.any(Number) });
    // It takes 1 to 3 ms; the machine may be busy.
    expect((answers.cancel as { ms: number }).ms).toBeGreaterThan(0);
    expect((answers.cancel as { ms: number }).ms).toBeLessThan(200);
  });

  it('carries the trace that the proxy injects', () => {
    expect(seen.metadata[2]?.get('traceparent')[0]).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad)/);
    expect(seen.metadata[0]?.get('traceparent')[0]).toMatch(/^00-/);
  });

  it('is decoded from the capture to the last message', () => {
    expect(exchanges.map(({ operation, captured }) => [operation, captured.end.kind])).toEqual([
      ...Array.from({ length: 4 }, () => ['GetTask', 'complete']),
      ['SendMessage', 'complete'],
      ['GetTask', 'client-abort'],
      ['SendStreamingMessage', 'complete'],
      ['SendStreamingMessage', 'client-abort'],
    ]);
    for (const { dialect } of exchanges) expect(dialect).toMatchObject({ binding: 'GRPC', version: '1.0' });
    expect(exchanges[1]?.response?.error).toMatchObject({ name: 'TaskNotFoundError' });
    expect(exchanges[6]?.response?.events).toHaveLength(3);
    expect(exchanges.map(({ response }) => response?.complete)).toEqual([
      true,
      true,
      true,
      true,
      true,
      undefined,
      true,
      false,
    ]);
  });

  it('is judged by the rules of the binding', async () => {
    const { stdout } = await plugfest(['verify', file, '--format', 'json']);
    const verdict = JSON.parse(stdout) as Verdict;
    const grpc = verdict.rules.filter(({ id, exercised }) => id.startsWith('GRPC-') && exercised > 0);
    expect(grpc.length).toBeGreaterThan(3);
    expect(
      verdict.findings.filter(({ rule, outcome }) => rule.startsWith('GRPC-') && outcome === 'fail'),
    ).toEqual([]);
    expect(verdict.rules.filter(({ status: of }) => of === 'error')).toEqual([]);
  });

  it('has the same verdict, byte for byte but for the root, after a round trip through NDJSON', async () => {
    const [lines, again] = [`${file}.ndjson`, `${file}-again.sqlite`];
    writeFileSync(lines, (await plugfest(['export', file, '--to', 'ndjson'])).stdout);
    expect(await plugfest(['import', lines, '-o', again])).toMatchObject({ code: 0 });
    const [before, after] = await Promise.all(
      [file, again].map(async (each) => {
        const { stdout } = await plugfest(['verify', each, '--format', 'json']);
        return stdout.replace(/"root": "sha256:[0-9a-f]+"/, '"root": "…"');
      }),
    );
    expect(before).toContain('"findings"');
    expect(after).toBe(before);
  }, 90_000);
});
