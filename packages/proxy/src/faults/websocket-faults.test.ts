import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../testing/memory-sink.ts';
import { connect, RawServer } from '../testing/raw.ts';
import { type Tapped, tapped } from '../testing/tapped.ts';
import { FaultSet } from './fault-set.ts';
import { FrameSplitter, readMessage, textMessageLike } from './frames.ts';
import { loadFaultKinds } from './registry.ts';

const kinds = await loadFaultKinds();

interface Talk extends AsyncDisposable {
  readonly lab: Tapped;
  readonly client: WebSocket;
  readonly callee: WebSocket;
  /** What each side heard. */
  readonly clientHeard: string[];
  readonly calleeHeard: string[];
  /** How the connection closed for the client. */
  closed: number | undefined;
  /** What asked the callee for the connection. */
  readonly extensions: string | undefined;
}

/** A talk between two ends of the `ws` library, through a tap with these faults. */
async function talking(...faults: readonly Record<string, unknown>[]): Promise<Talk> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: { threshold: 0 } });
  await once(server, 'listening');
  const set = new FaultSet(kinds, 1);
  for (const fault of faults) set.put(fault);
  const lab = await tapped(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { faults: set });
  const client = new WebSocket(lab.tap.origin.replace('http', 'ws'));
  client.on('error', () => undefined);
  const clientHeard: string[] = [];
  client.on('message', (data: Buffer) => clientHeard.push(data.toString()));
  const opened = once(client, 'open');
  const [callee, request] = (await once(server, 'connection')) as [
    WebSocket,
    { headers: Record<string, string> },
  ];
  const calleeHeard: string[] = [];
  callee.on('error', () => undefined);
  callee.on('message', (data: Buffer) => calleeHeard.push(data.toString()));
  await opened;
  const talk: Talk = {
    lab,
    client,
    callee,
    clientHeard,
    calleeHeard,
    closed: undefined,
    extensions: request.headers['sec-websocket-extensions'],
    async [Symbol.asyncDispose]() {
      client.terminate();
      await lab[Symbol.asyncDispose]();
      for (const each of server.clients) each.terminate();
      server.close();
    },
  };
  client.on('close', (code: number) => {
    talk.closed = code;
  });
  return talk;
}

const changes = ({ lab }: Talk) =>
  lab.sink.changes().filter(({ reason, place }) => reason.startsWith('fault-') && place !== 'header');

const bypassed = ({ lab }: Talk): readonly string[] =>
  lab.sink.of('note').flatMap(({ topic, text }) => (topic === 'fault-bypassed' ? [text] : []));

/** Says these from the callee to the client, and the same from the client to the callee, and closes in order. */
async function say(talk: Talk, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) talk.callee.send(text);
  for (const text of texts) talk.client.send(text);
  talk.callee.close(1000);
  await eventually(() => talk.closed, 'the client to be closed');
  // It may be decompressing what it heard before its connection ended.
  await eventually(() => talk.callee.readyState === WebSocket.CLOSED || undefined, 'the callee, too');
  await talk.lab.sink.end();
}

const messageCases = [
  ['drop-message', { event: 2 }, ['one', 'three']],
  ['duplicate-message', { event: 1, copies: 2 }, ['one', 'one', 'one', 'two', 'three']],
  ['reorder-messages', { event: 1 }, ['two', 'one', 'three']],
  ['malformed-json', { event: 3 }, ['one', 'two', '}{three']],
] as const;

describe('faults on WebSocket messages', () => {
  it.each(messageCases)('%s: what the callee says', async (fault, choice, expected) => {
    await using talk = await talking({ fault, ...choice });
    await say(talk, 'one', 'two', 'three');
    expect(talk.clientHeard).toEqual(expected);
    expect(talk.calleeHeard).toEqual(['one', 'two', 'three']);
    expect(talk.closed).toBe(1000);
    expect(changes(talk)).toMatchObject([
      { side: 'response', place: 'body', where: `/events/${choice.event - 1}`, reason: `fault-${fault}` },
    ]);
    expect(await talk.lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it.each(messageCases)('%s: what the client says, under its mask', async (fault, choice, expected) => {
    await using talk = await talking({ fault, on: 'request', ...choice });
    await say(talk, 'one', 'two', 'three');
    expect(talk.calleeHeard).toEqual(expected);
    expect(talk.clientHeard).toEqual(['one', 'two', 'three']);
    expect(changes(talk)).toMatchObject([{ side: 'request', reason: `fault-${fault}` }]);
  });

  it('are asked for without compression where they take messages out of their order', async () => {
    await using dropping = await talking({ fault: 'drop-message', event: 9 });
    expect(dropping.extensions).toBeUndefined();
    const [removed] = dropping.lab.sink.changes().filter(({ reason }) => reason === 'fault-drop-message');
    expect(removed).toMatchObject({ side: 'request', where: 'Sec-WebSocket-Extensions' });
    await say(dropping, 'one');
    expect(bypassed(dropping)[0]).toContain('none of the 1 messages');
    await using slow = await talking({ fault: 'latency', delayMs: 1 });
    expect(slow.extensions).toMatch(/permessage-deflate/);
  });

  it('delay: what follows waits behind the message that comes late', async () => {
    await using talk = await talking({ fault: 'delay-message', event: 1, delayMs: 80 });
    const at = performance.now();
    await say(talk, 'one', 'two');
    expect(performance.now() - at).toBeGreaterThan(75);
    expect(talk.clientHeard).toEqual(['one', 'two']);
  });

  it.each([
    ['close', undefined],
    ['reset', 'ECONNRESET'],
  ] as const)('cut after so many messages: %s', async (how, code) => {
    await using talk = await talking({ fault: 'cut', afterEvents: 2, how });
    let error: string | undefined;
    // The library keeps to itself how its socket ended.
    (Reflect.get(talk.client, '_socket') as Socket).on('error', (reason: Error & { code?: string }) => {
      error = reason.code;
    });
    for (const text of ['one', 'two', 'three']) talk.callee.send(text);
    await eventually(() => talk.closed, 'the client to be cut off');
    expect(talk.closed).toBe(1006);
    if (how === 'close') expect(talk.clientHeard).toEqual(['one', 'two']);
    else expect(error).toBe(code);
    expect(await talk.lab.sink.end()).toMatchObject({ end: 'fault', detail: 'cut: cut after 2 messages' });
    await eventually(() => talk.callee.readyState === WebSocket.CLOSED || undefined, 'the callee, too');
  });

  it.each([
    ['rechunk', { sizeBytes: 3 }],
    ['bandwidth', { bytesPerSecond: 100_000 }],
    ['latency', { delayMs: 20 }],
  ])('%s leaves the messages what they are, in both directions', async (fault, parameters) => {
    await using talk = await talking({ fault, ...parameters }, { fault, ...parameters, on: 'request' });
    await say(talk, 'one', 'x'.repeat(300), 'three');
    for (const heard of [talk.clientHeard, talk.calleeHeard])
      expect(heard).toEqual(['one', 'x'.repeat(300), 'three']);
    expect(changes(talk).map(({ side }) => side)).toEqual(
      expect.arrayContaining(['request', 'response'] as const),
    );
  });

  it('hang: nothing more comes, while the client is still heard', async () => {
    await using talk = await talking({ fault: 'hang', afterBytes: 0, forMs: 100 });
    talk.callee.send('one');
    talk.client.send('still there');
    await eventually(() => talk.calleeHeard[0], 'the client to be heard');
    await eventually(() => talk.closed, 'the client to be cut off');
    expect(talk.clientHeard).toEqual([]);
    expect(await talk.lab.sink.end()).toMatchObject({ end: 'fault', detail: 'hang: silence for 100 ms' });
  });

  it('what waits is bounded: the client is slowed down that says more', async () => {
    await using talk = await talking({ fault: 'bandwidth', on: 'request', bytesPerSecond: 1000 });
    const block = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 40; i++) talk.client.send(block, { compress: false });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(talk.client.bufferedAmount).toBeGreaterThan(10 * block.length);
  });
});

const ask = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: PROTOCOL\r\n\r\n';
const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: PROTOCOL\r\n\r\n';

describe('faults on an upgrade', () => {
  const asking = async (protocol: string, ...faults: readonly Record<string, unknown>[]) => {
    const server = await RawServer.start();
    const set = new FaultSet(kinds, 1);
    for (const fault of faults) set.put(fault);
    const lab = await tapped(server.origin, { mode: 'alias', faults: set });
    const client = await connect(lab.tap.origin);
    client.write(ask.replace('PROTOCOL', protocol));
    const callee = await server.connection();
    await callee.until('\r\n\r\n');
    callee.write(`${switched.replace('PROTOCOL', protocol)}hello`);
    return {
      lab,
      client,
      callee,
      async [Symbol.asyncDispose]() {
        client.socket.destroy();
        await lab[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  };
  const notes = ({ lab }: { readonly lab: Tapped }): readonly string[] =>
    lab.sink.of('note').map(({ text }) => text);

  it('act on what is said in another protocol as on bytes, and say where they cannot', async () => {
    await using talk = await asking(
      'echo',
      { fault: 'drop-message' },
      { fault: 'override', status: 503 },
      { fault: 'cut', afterBytes: 4, how: 'close' },
    );
    expect(await talk.client.untilEnded()).toMatch(/^HTTP\/1\.1 101 [\s\S]*\r\n\r\nhell$/);
    expect(await talk.lab.sink.end()).toMatchObject({ end: 'fault', detail: 'cut: cut after 4 bytes' });
    expect(notes(talk).some((text) => /drop-message was bypassed: .*no stream/.test(text))).toBe(true);
    expect(notes(talk).some((text) => /override was bypassed: .*has left HTTP/.test(text))).toBe(true);
  });

  it('that make many pieces wait for one client until it reads, without a listener for each', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);
    await using talk = await asking('echo', { fault: 'rechunk', sizeBytes: 512 });
    await talk.client.until(/hello$/);
    talk.client.socket.pause();
    const sent = Buffer.alloc(8 * 1024 * 1024, 'x');
    talk.callee.socket.write(sent);
    await new Promise((resolve) => setTimeout(resolve, 400));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('pass on what is no frame, and say so', async () => {
    await using talk = await asking('websocket', { fault: 'drop-message' });
    await talk.client.until(/hello$/);
    expect(notes(talk).some((text) => text.includes('no frame of WebSocket'))).toBe(true);
  });

  it('reset in place of a 101, which is on record', async () => {
    await using talk = await asking('websocket', { fault: 'reset' });
    await talk.client.untilEnded();
    expect(talk.client).toMatchObject({ error: 'ECONNRESET', text: '' });
    expect(talk.lab.sink.of('response-head')[0]).toMatchObject({ status: 101 });
    expect((await talk.lab.sink.end()).end).toBe('fault');
    await talk.callee.untilEnded();
  });

  it('hang in place of a 101 until the client leaves', async () => {
    await using talk = await asking('websocket', { fault: 'hang' });
    await eventually(() => talk.lab.sink.of('change')[0], 'the fault');
    expect(talk.client.text).toBe('');
    talk.client.socket.destroy();
    expect(await talk.lab.sink.end()).toMatchObject({ end: 'fault', detail: 'hang: the caller left' });
    await talk.callee.untilEnded();
  });

  it('a callee that leaves while its 101 is late is one that broke off', async () => {
    await using talk = await asking('websocket', { fault: 'latency', delayMs: 200 });
    talk.callee.socket.resetAndDestroy();
    await talk.client.untilEnded();
    expect((await talk.lab.sink.end()).end).toBe('upstream-abort');
  });
});

it('a fault on what a client says is bypassed where it says it by HTTP', async () => {
  await using server = await RawServer.start((connection) => {
    connection.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
  });
  const set = new FaultSet(kinds, 1);
  set.put({ fault: 'drop-message', on: 'request' });
  await using lab = await tapped(server.origin, { faults: set });
  const client = await connect(lab.tap.origin);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await client.until(/hi$/);
  expect(lab.sink.of('note').map(({ text }) => text)).toEqual([
    'drop-message-1: drop-message was bypassed: its client sends no messages by WebSocket',
  ]);
  client.socket.destroy();
});

describe('what no honest peer sends, under faults on messages,', () => {
  const frame = (first: number, payload: string | Buffer): Buffer => {
    const bytes = Buffer.from(payload as string);
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    return Buffer.concat([Buffer.from([first, 127]), length, bytes]);
  };

  /** What the client hears of these bytes of the callee, which ends after them. */
  async function heard(fault: Record<string, unknown>, bytes: Buffer): Promise<Buffer> {
    await using server = await RawServer.start();
    const set = new FaultSet(kinds, 1);
    set.put(fault);
    await using lab = await tapped(server.origin, { mode: 'alias', faults: set });
    const client = await connect(lab.tap.origin);
    client.write(ask.replace('PROTOCOL', 'websocket'));
    const callee = await server.connection();
    await callee.until('\r\n\r\n');
    callee.write(switched.replace('PROTOCOL', 'websocket'));
    callee.socket.end(bytes);
    const text = await client.untilEnded();
    client.socket.destroy();
    expect(lab.sink.body('response')).toBe(bytes.toString('latin1'));
    return Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1');
  }

  it('messages behind a close go on as they are, and none is held', async () => {
    const said = [frame(0x81, 'one'), frame(0x88, ''), frame(0x81, 'two'), frame(0x81, 'three')];
    const [one, close, two, three] = said as [Buffer, Buffer, Buffer, Buffer];
    expect(await heard({ fault: 'reorder-messages' }, Buffer.concat(said))).toEqual(
      Buffer.concat([one, close, two, three]),
    );
    expect(await heard({ fault: 'drop-message' }, Buffer.concat(said))).toEqual(
      Buffer.concat([close, two, three]),
    );
  });

  it.each([
    ['too long to be held', frame(0x81, Buffer.alloc(2 * 1024 * 1024, 'x'))],
    ['no frame', Buffer.from('\xf3 is no opcode', 'latin1')],
    ['as long as its sign says, 2^63', Buffer.from([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3])],
  ])('a message that waits for the next one leaves before what is %s', async (_what, next) => {
    const said = Buffer.concat([frame(0x81, 'one'), next]);
    expect((await heard({ fault: 'reorder-messages' }, said)).equals(said)).toBe(true);
  });

  it('a message of empty fragments takes no more room than its bytes', () => {
    v8.setFlagsFromString('--expose-gc');
    const collect: () => void = vm.runInNewContext('gc');
    const splitter = new FrameSplitter();
    const bytes = Buffer.alloc(64 * 1024);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 8; i++) splitter.push(bytes, () => undefined);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4 * 1024 * 1024);
    expect(splitter.restBytes).toBe(8 * bytes.length);
  });
});

describe('frames', () => {
  const frame = (first: number, text: string, key?: Buffer): Buffer => {
    const payload = Buffer.from(text);
    const masked = payload.map((byte, i) => byte ^ (key?.[i & 3] ?? 0));
    const head = [first, payload.length | (key === undefined ? 0 : 0x80)];
    return Buffer.concat([Buffer.from(head), key ?? Buffer.alloc(0), masked]);
  };
  const key = Buffer.from([1, 2, 3, 4]);

  it.each([1, 2, 5, 1000])('are put together to messages, in pieces of %i bytes', (size) => {
    const bytes = Buffer.concat([
      frame(0x01, 'a', key),
      frame(0x89, 'ping', key),
      frame(0x80, 'b', key),
      frame(0x82, '\x00', key),
      frame(0x88, '', key),
    ]);
    const splitter = new FrameSplitter();
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      splitter.push(bytes.subarray(at, at + size), (part, kind) => {
        const { isText, payload } = readMessage(part);
        parts.push(`${kind} ${isText} ${payload}`);
      });
    expect(parts).toEqual(['control false ping', 'message true ab', 'message false \x00', 'last false ']);
    expect(splitter.restBytes).toBe(0);
  });

  it.each([0, 125, 126, 65_535, 65_536])('are written for a payload of %i bytes', (length) => {
    const made = textMessageLike(frame(0x81, 'x', key), Buffer.alloc(length, 'y'));
    const seen: Buffer[] = [];
    const splitter = new FrameSplitter();
    expect(splitter.push(made, (part) => void seen.push(part))).toBe(true);
    expect(seen).toHaveLength(1);
    expect(readMessage(made).payload.toString()).toBe('y'.repeat(length));
  });
});
