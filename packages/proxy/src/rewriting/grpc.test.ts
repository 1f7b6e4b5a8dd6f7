import { gzipSync } from 'node:zlib';
import { encodeGrpcMessage } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createInterposer } from '../interposer.ts';
import type { InterposerOptions } from '../interposer-options.ts';
import { H2Client, H2Server, type SeenStream } from '../testing/h2.ts';
import { eventually, MemorySink } from '../testing/memory-sink.ts';
import { editMessages } from './grpc-messages.ts';
import { editUrls, lengthDelimited } from './protobuf-edit.ts';

const v1 = '/lf.a2a.v1.A2AService/';
const v03 = '/a2a.v1.A2AService/';

function framed(path: string, side: 'request' | 'response', value: Json): Buffer {
  const frame = encodeGrpcMessage(path, side, value);
  if (frame === undefined) throw new Error(`no message of ${path} says ${JSON.stringify(value)}`);
  return Buffer.from(frame);
}

/** The same message with a field that no `.proto` file has, and one of them at its very start. */
function withUnknown(frame: Buffer): Buffer {
  const message = Buffer.concat([
    lengthDelimited(4000, Buffer.from('unknown')),
    frame.subarray(5),
    Buffer.from([0xf8, 0xff, 0x01, 0x96, 0x01]),
  ]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function gzipped(frame: Buffer): Buffer {
  const message = gzipSync(frame.subarray(5));
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

interface Lab extends AsyncDisposable {
  readonly sink: MemorySink;
  readonly client: H2Client;
  readonly agent: string;
  readonly hook: string;
}

async function lab(upstream: string, options: Partial<InterposerOptions> = {}): Promise<Lab> {
  const sink = new MemorySink();
  const interposer = createInterposer({ sink, run: sink.run, drainMs: 50, ...options });
  const { origin } = await interposer.openTap({ caller: 'alice', callee: 'bob', kind: 'a2a', upstream });
  const hook = await interposer.openTap({
    caller: 'bob',
    callee: 'inbox',
    kind: 'webhook',
    upstream: 'http://inbox.example:9000',
  });
  const client = new H2Client(origin);
  return {
    sink,
    client,
    agent: origin,
    hook: hook.origin,
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      await interposer.close();
    },
  };
}

async function call(open: Lab, path: string, body: Buffer, fields: readonly string[] = []) {
  const one = open.client.call('POST', path, [
    'content-type',
    'application/grpc',
    'te',
    'trailers',
    ...fields,
  ]);
  one.stream.end(body);
  await one.untilClosed();
  return one;
}

/** Answers with a message, and the trailers that gRPC ends by. */
const answer = ({ stream }: SeenStream, body: Buffer, fields: Record<string, string> = {}): void => {
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', ...fields },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'x-last': 'yes' }));
  stream.end(body);
};

const whole = async (server: H2Server, index = 0): Promise<SeenStream> => {
  const seen = await server.stream(index);
  await eventually(() => seen.ended || undefined, 'the request to end');
  return seen;
};

const webhook = 'http://inbox.example:9000/hook/secret?x=1';
const sealedUrl = /http:\/\/127\.0\.0\.1:\d+\/\.plugfest\/webhook\/[A-Za-z0-9_-]+/;

const registrations: readonly (readonly [string, string, (url: string) => Json])[] = [
  [
    'inline in 1.0',
    `${v1}SendMessage`,
    (url) => ({
      message: { messageId: 'm' },
      configuration: { taskPushNotificationConfig: { url, token: 't' }, returnImmediately: true },
    }),
  ],
  [
    'inline in a stream of 1.0',
    `${v1}SendStreamingMessage`,
    (url) => ({ configuration: { taskPushNotificationConfig: { url } } }),
  ],
  [
    'in a create of 1.0',
    `${v1}CreateTaskPushNotificationConfig`,
    (url) => ({ taskId: 't', url, token: 'x' }),
  ],
  ['inline in 0.3', `${v03}SendMessage`, (url) => ({ configuration: { pushNotification: { url } } })],
  [
    'in a create of 0.3',
    `${v03}CreateTaskPushNotificationConfig`,
    (url) => ({ parent: 'tasks/t', config: { pushNotificationConfig: { url, id: 'c' } } }),
  ],
];

describe('a webhook in a message of gRPC', () => {
  it.each(registrations)(
    '%s leads through the tap; all else stays, byte for byte',
    async (_name, path, value) => {
      await using bob = await H2Server.start((seen) =>
        seen.stream.on('end', () => answer(seen, Buffer.alloc(5))),
      );
      await using open = await lab(bob.origin);
      for (const form of [(frame: Buffer) => frame, withUnknown]) {
        const done = await call(open, path, form(framed(path, 'request', value(webhook))));
        expect(done.trailers).toEqual(['grpc-status', '0', 'x-last', 'yes']);
        const { body } = await whole(bob, bob.seen.length - 1);
        const given = sealedUrl.exec(body)?.[0] ?? '';
        expect(given.startsWith(open.hook)).toBe(true);
        expect(latin1(body)).toEqual(form(framed(path, 'request', value(given))));
      }
      const change = open.sink.changes().find(({ place }) => place === 'body');
      expect(change).toMatchObject({ before: webhook, reason: 'webhook-url', side: 'request' });
      const pointer = change?.where?.slice(1).split('/') ?? [];
      const at = pointer.reduce<Json | undefined>(
        (node, name) => (node as Record<string, Json>)[name],
        value('here'),
      );
      expect(at).toBe('here');
    },
  );

  it('that is compressed is compressed again', async () => {
    const path = `${v1}CreateTaskPushNotificationConfig`;
    await using bob = await H2Server.start((seen) =>
      seen.stream.on('end', () => answer(seen, Buffer.alloc(5))),
    );
    await using open = await lab(bob.origin);
    await call(open, path, gzipped(framed(path, 'request', { url: webhook })), ['grpc-encoding', 'gzip']);
    const { body } = await whole(bob);
    expect(body.charCodeAt(0)).toBe(1);
    const read = editMessages(latin1(body), 'gzip', 10_000, (message) => message);
    expect(read.kind).toBe('edited');
    const texts: string[] = [];
    editMessages(latin1(body), 'gzip', 10_000, (message) => {
      texts.push(message.toString('latin1'));
      return undefined;
    });
    expect(texts[0]).toMatch(sealedUrl);
  });

  it.each([
    [
      'in an unknown coding',
      gzipped(framed(`${v1}CreateTaskPushNotificationConfig`, 'request', { url: webhook })),
      'snappy',
      1,
    ],
    [
      'cut off',
      framed(`${v1}CreateTaskPushNotificationConfig`, 'request', { url: webhook }).subarray(0, 20),
      'identity',
      1,
    ],
    ['no protobuf', latin1('\0\0\0\0\x03\x0b\x0b\x0b'), 'identity', 0],
  ])('that is %s goes on untouched', async (_name, body, coding, notes) => {
    await using bob = await H2Server.start((seen) =>
      seen.stream.on('end', () => answer(seen, Buffer.alloc(5))),
    );
    await using open = await lab(bob.origin);
    await call(open, `${v1}CreateTaskPushNotificationConfig`, body, ['grpc-encoding', coding]);
    expect(latin1((await whole(bob)).body)).toEqual(body);
    expect(open.sink.of('note').filter(({ topic }) => topic === 'webhook-not-rewritten')).toHaveLength(notes);
  });

  it.each([
    [
      'a get of 1.0',
      `${v1}GetTaskPushNotificationConfig`,
      { taskId: 't', id: 'c' },
      (url: string): Json => ({ url, id: 'c' }),
    ],
    [
      'a list of 1.0',
      `${v1}ListTaskPushNotificationConfigs`,
      { taskId: 't' },
      (url: string): Json => ({ configs: [{ url: 'http://x.example/' }, { url }] }),
    ],
    [
      'a create of 0.3',
      `${v03}CreateTaskPushNotificationConfig`,
      { parent: 'tasks/t' },
      (url: string): Json => ({ name: 'tasks/t/pushNotificationConfigs/c', pushNotificationConfig: { url } }),
    ],
  ])('is shown to the client as its own by %s, trailers and all', async (_name, path, request, response) => {
    let given = '';
    await using bob = await H2Server.start((seen) =>
      seen.stream.on('end', () => {
        given ||= sealedUrl.exec(seen.body)?.[0] ?? '';
        answer(seen, withUnknown(framed(path, 'response', response(given))));
      }),
    );
    await using open = await lab(bob.origin);
    const create = `${v1}CreateTaskPushNotificationConfig`;
    await call(open, create, framed(create, 'request', { url: webhook }));
    const shown = await call(open, path, framed(path, 'request', request));
    expect(given).not.toBe('');
    expect(latin1(shown.body)).toEqual(withUnknown(framed(path, 'response', response(webhook))));
    expect(shown.trailers).toEqual(['grpc-status', '0', 'x-last', 'yes']);
  });
});

describe('a card in a message of gRPC', () => {
  it.each([
    [
      '1.0',
      `${v1}GetExtendedAgentCard`,
      (origin: string, authority: string): Json => ({
        name: 'bob',
        supportedInterfaces: [
          { url: authority, protocolBinding: 'GRPC', protocolVersion: '1.0' },
          { url: `${origin}/a2a`, protocolBinding: 'JSONRPC' },
        ],
        documentationUrl: 'http://docs.example/',
        provider: { url: 'http://provider.example/', organization: 'o' },
      }),
    ],
    [
      '0.3',
      `${v03}GetAgentCard`,
      (origin: string, authority: string): Json => ({
        name: 'bob',
        url: authority,
        preferredTransport: 'GRPC',
        additionalInterfaces: [{ url: `${origin}/a2a`, transport: 'JSONRPC' }],
      }),
    ],
  ])('of %s leads to the tap and loses its signatures', async (_name, path, card) => {
    const signatures = [{ protected: 'p', signature: 's' }];
    const authorityOf = (origin: string): string => origin.slice('http://'.length);
    await using bob = await H2Server.start((seen) =>
      seen.stream.on('end', () => {
        const own = { ...(card(bob.origin, authorityOf(bob.origin)) as object), signatures } as Json;
        answer(seen, withUnknown(framed(path, 'response', own)));
      }),
    );
    await using open = await lab(bob.origin);
    const got = await call(open, path, framed(path, 'request', {}));
    const expected = withUnknown(framed(path, 'response', card(open.agent, authorityOf(open.agent))));
    expect(latin1(got.body)).toEqual(expected);
    expect(got.trailers).toEqual(['grpc-status', '0', 'x-last', 'yes']);
    expect(open.sink.of('note').map(({ topic }) => topic)).toEqual([
      'card-signatures',
      'card-signatures-removed',
    ]);
    expect(open.sink.changes().map(({ reason }) => reason)).toContain('card-signatures');
  });
});

describe('messages that are edited', () => {
  it('never throw and never change where there is nothing to change', () => {
    const plan = { message: 'm', url: 1, binding: 2, signatures: 3, children: new Map() };
    const deep = {
      ...plan,
      url: undefined,
      children: new Map([[2, { name: 'c', repeated: true, fields: plan }]]),
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(editUrls(Buffer.from(bytes), deep, () => undefined)).toBeUndefined();
        const edited = editMessages(
          Buffer.from(bytes),
          'gzip',
          1000,
          (message) => editUrls(message, deep, ({ url }) => url)?.bytes,
        );
        expect(edited.kind).not.toBe('edited');
      }),
    );
  });

  it('are bounded once decompressed', () => {
    const bomb = gzipped(Buffer.concat([Buffer.alloc(5), Buffer.alloc(100_000)]));
    expect(editMessages(bomb, 'gzip', 1000, (message) => message).kind).toBe('unreadable');
  });
});
