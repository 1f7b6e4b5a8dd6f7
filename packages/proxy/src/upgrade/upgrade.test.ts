import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { FaultSet } from '../faults/fault-set.ts';
import { loadFaultKinds } from '../faults/registry.ts';
import { eventually } from '../testing/memory-sink.ts';
import { connect, RawConnection, RawServer } from '../testing/raw.ts';
import { type Tapped, tapped } from '../testing/tapped.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openLabAuthority } from '../tls/authority.ts';
import { asksForUpgrade } from './wanted.ts';

const ask = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const switched =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-b: 1\r\n\r\n';

interface Talk extends AsyncDisposable {
  readonly lab: Tapped;
  readonly server: RawServer;
  readonly client: RawConnection;
  readonly callee: RawConnection;
}

async function asked(text = ask): Promise<Talk> {
  const server = await RawServer.start();
  const lab = await tapped(server.origin, { mode: 'alias' });
  const client = await connect(lab.tap.origin);
  client.write(text);
  const callee = await server.connection();
  await callee.until('\r\n\r\n');
  return {
    lab,
    server,
    client,
    callee,
    async [Symbol.asyncDispose]() {
      client.socket.destroy();
      await lab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function open(): Promise<Talk> {
  const talk = await asked();
  talk.callee.write(switched);
  await talk.client.until(/101 .*\r\n\r\n$/s);
  return talk;
}

describe('an upgraded connection', () => {
  it('is on record: the 101 as it came, then bytes of both sides in their order, and both ends', async () => {
    await using talk = await open();
    const { lab, client, callee } = talk;
    client.write('one');
    await callee.until(/one$/);
    callee.write('two');
    await client.until(/two$/);
    client.write('three');
    await callee.until(/three$/);
    client.socket.end();
    await callee.untilEnded();
    callee.write('four');
    callee.socket.end();
    await client.untilEnded();
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
    expect(lab.sink.events.filter((event) => 'exchange' in event).map((event) => event.kind)).toEqual([
      'request-head',
      'response-head',
      ...['chunk', 'chunk', 'chunk', 'body-end', 'chunk', 'body-end', 'end'],
    ]);
    expect(lab.sink.of('response-head')[0]).toMatchObject({
      status: 101,
      headers: ['Connection', 'Upgrade', 'Upgrade', 'websocket', 'X-b', '1'],
    });
    expect(lab.sink.changes()).toEqual([]);
    await eventually(() => lab.sink.of('connection-close')[1], 'both connections to close');
    expect(lab.sink.events.slice(-3).map(({ kind }) => kind)).toEqual([
      ...['end', 'connection-close', 'connection-close'],
    ]);
    expect(lab.sink.of('chunk').map(({ side, bytes }) => `${side} ${Buffer.from(bytes).toString()}`)).toEqual(
      ['request one', 'response two', 'request three', 'response four'],
    );
  });

  it.each([
    ['is reset by its client', 'client', { end: 'client-abort', detail: 'ECONNRESET' }],
    ['is reset by its callee', 'callee', { end: 'reset', detail: 'ECONNRESET' }],
  ] as const)('that %s ends so', async (_how, who, end) => {
    await using talk = await open();
    talk[who].socket.resetAndDestroy();
    const other = who === 'client' ? talk.callee : talk.client;
    await other.untilEnded();
    await eventually(() => other.closed || undefined, 'the other side to be reset');
    expect(other.error).toBe('ECONNRESET');
    expect(await talk.lab.sink.end()).toMatchObject(end);
    await eventually(
      () => talk.lab.sink.of('connection-close').length === 2 || undefined,
      'both connections to close',
    );
  });

  it('whose client had closed its half before is told so, and can still be whole', async () => {
    await using talk = await asked();
    const { lab, client, callee } = talk;
    client.socket.end();
    await callee.untilEnded();
    callee.write(`${switched}hello`);
    await client.until(/hello$/);
    callee.socket.end();
    await client.untilEnded();
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
    expect(lab.sink.of('body-end').map(({ side }) => side)).toEqual(['request', 'response']);
  });

  it('ends as shutdown where the tap closes, and nothing is left open', async () => {
    await using talk = await open();
    await talk.lab.interposer.close();
    expect(await talk.lab.sink.end()).toMatchObject({ end: 'shutdown' });
    await talk.client.untilEnded();
    await talk.callee.untilEnded();
    expect(talk.lab.sink.of('connection-close')).toHaveLength(2);
    expect(talk.lab.sink.of('end')).toHaveLength(1);
  });

  it('keeps no more than 64 kB of a client that speaks before it was answered', async () => {
    await using talk = await asked();
    const { client, callee, lab } = talk;
    const block = Buffer.alloc(1024 * 1024, 'x');
    for (let i = 0; i < 64; i++) client.socket.write(block);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.socket.writableLength).toBeGreaterThan(32 * block.length);
    callee.write(switched);
    await eventually(() => callee.text.length > 64 * block.length || undefined, 'all of it', 20_000);
    expect(lab.sink.of('chunk').reduce((sum, { bytes }) => sum + bytes.byteLength, 0)).toBe(
      64 * block.length,
    );
  });

  it('is let alone by a fault that only knows answers of HTTP, which says so', async () => {
    await using server = await RawServer.start();
    const faults = new FaultSet(await loadFaultKinds(), 1);
    faults.put({ fault: 'override', status: 503 });
    await using lab = await tapped(server.origin, { mode: 'alias', faults });
    const refused = await connect(lab.tap.origin);
    refused.write(ask);
    (await server.connection()).write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno');
    await refused.until(/ 503 .*no$/s);
    const carried = await connect(lab.tap.origin);
    carried.write(ask);
    const callee = await server.connection(1);
    callee.write(`${switched}hello`);
    await carried.until(/101 .*hello$/s);
    expect(lab.sink.of('note').map(({ text }) => text)).toEqual([
      'override-1: override was bypassed: the connection has left HTTP',
    ]);
    for (const { socket } of [refused, carried]) socket.destroy();
  });
});

describe('an upgrade', () => {
  it('passes with TLS on both sides', async () => {
    const folder = temporaryFolder();
    const authority = openLabAuthority(join(folder, 'lab'));
    const theirs = openLabAuthority(join(folder, 'theirs'));
    const identity = theirs.identityOf('127.0.0.1');
    const sockets: tls.TLSSocket[] = [];
    const server = tls.createServer({ cert: identity?.cert ?? '', key: identity?.key ?? '' }, (socket) => {
      sockets.push(socket);
      socket.once('data', () => {
        socket.write(switched);
        socket.on('data', (chunk) => socket.write(chunk));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using lab = await tapped(`https://127.0.0.1:${port}`, {
      tls: authority,
      upstreamCa: theirs.certificate,
    });
    const client = tls.connect({
      host: '127.0.0.1',
      port: Number(new URL(lab.tap.origin).port),
      ca: authority.certificate,
    });
    const raw = new RawConnection(client);
    await once(client, 'secureConnect');
    raw.write(ask);
    await raw.until(/ 101 /);
    raw.write('over and out');
    await raw.until(/over and out$/);
    client.end();
    await raw.untilEnded();
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
    expect(lab.sink.body('response')).toBe('over and out');
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('passes through a forward proxy, to declared origins only', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin, { mode: 'forward' });
    const client = await connect(lab.tap.origin);
    client.write(ask.replace('/ws', `${server.origin}/ws`));
    const callee = await server.connection();
    await callee.until(/^GET \/ws HTTP\/1\.1\r\n.*Upgrade: websocket\r\n/s);
    callee.write(`${switched}hello`);
    await client.until(/101 .*hello$/s);
    client.socket.destroy();
    const other = await connect(lab.tap.origin);
    other.write(ask.replace('/ws', 'http://elsewhere.example/ws'));
    await other.until(/^HTTP\/1\.1 4\d\d /);
    await other.untilEnded();
    expect(server.connections).toHaveLength(1);
    other.socket.destroy();
  });
});

describe('an upgrade that is refused', () => {
  it('is a whole exchange, and what came behind it is read as HTTP', async () => {
    await using talk = await asked(`${ask}GET /next HTTP/1.1\r\nHost: x\r\n\r\n`);
    const { lab, client, server, callee } = talk;
    callee.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno');
    await client.until(/401.*no$/s);
    const second = await server.connection(1);
    await second.until('GET /next');
    second.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    await client.until(/401.*no.*200.*ok$/s);
    expect(await lab.sink.end('x1')).toMatchObject({ end: 'complete' });
    expect(await lab.sink.end('x2')).toMatchObject({ end: 'complete' });
    expect(lab.sink.of('body-end', 'x1').map(({ side }) => side)).toEqual(['request', 'response']);
    expect(lab.sink.of('request-head')[1]?.target).toBe('/next');
  });

  it('by a callee that closes without an answer is one that it broke off', async () => {
    await using talk = await asked();
    talk.callee.socket.destroy();
    await talk.client.untilEnded();
    expect((await talk.lab.sink.end()).end).toBe('upstream-abort');
  });
});

describe('a request asks for another protocol', () => {
  it.each([
    [['Connection', 'Upgrade', 'Upgrade', 'websocket'], true],
    [['Connection', 'upgrade', 'upgrade', 'Echo/1, other'], true],
    [['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Content-Length', '0'], true],
    [['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Content-Length', '2'], false],
    [['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Transfer-Encoding', 'chunked'], false],
    [['Connection', 'Upgrade', 'Upgrade', 'h2c'], false],
    [['Connection', 'Upgrade', 'Upgrade', 'websocket, h2c'], false],
    [['Connection', 'Upgrade', 'Upgrade', 'TLS/1.0, HTTP/1.1'], false],
    [['Host', 'x'], false],
  ])('%j: %j', (headers, expected) => {
    expect(asksForUpgrade(headers)).toBe(expected);
  });
});
