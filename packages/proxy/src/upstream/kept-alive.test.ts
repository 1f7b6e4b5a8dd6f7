import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/memory-sink.ts';
import { answering, connect, type RawConnection, RawServer } from '../testing/raw.ts';
import { type Tapped, tapped } from '../testing/tapped.ts';
import { KeptAliveUpstream } from './kept-alive.ts';

const get = 'GET /s HTTP/1.1\r\nHost: x\r\n\r\n';
const ok = (fields = '', version = '1.1'): string =>
  `HTTP/${version} 200 OK\r\n${fields}Content-Length: 2\r\n\r\nhi`;

interface Talk extends AsyncDisposable {
  readonly lab: Tapped;
  readonly server: RawServer;
  readonly client: RawConnection;
}

async function talking(serve?: (connection: RawConnection) => void): Promise<Talk> {
  const server = await RawServer.start(serve);
  const lab = await tapped(server.origin);
  const client = await connect(lab.tap.origin);
  return {
    lab,
    server,
    client,
    async [Symbol.asyncDispose]() {
      client.socket.destroy();
      await lab[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('the connection to a callee', () => {
  it.each([
    ['is kept', ok(), 1],
    ['is kept for as long as the callee said', ok('Keep-Alive: timeout=60\r\n'), 1],
    ['is left where the callee is about to close it', ok('Keep-Alive: timeout=1\r\n'), 2],
    ['is left where the callee speaks HTTP/1.0', ok('', '1.0'), 2],
    ['is kept where it does, and says so', ok('Connection: keep-alive\r\n', '1.0'), 1],
  ])('%s', async (_name, response, connections) => {
    await using talk = await talking(answering(response));
    const { client, server, lab } = talk;
    client.write(get);
    await client.until(/hi$/);
    await lab.sink.end('x1');
    client.write(get);
    await client.until(/hi[\s\S]*hi$/);
    expect(server.connections).toHaveLength(connections);
    expect(await lab.sink.end('x2')).toMatchObject({ end: 'complete' });
  });

  it('is left where the callee says more than it was asked, and nobody hears that', async () => {
    await using talk = await talking();
    const { client, server, lab } = talk;
    client.write(get);
    const first = await server.connection();
    await first.until('\r\n\r\n');
    first.write(ok());
    await client.until(/hi$/);
    first.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhidden');
    await eventually(() => lab.sink.of('connection-close')[0], 'the close');
    client.write(get);
    const second = await server.connection(1);
    await second.until('\r\n\r\n');
    second.write(ok());
    await client.until(/hi[\s\S]*hi$/);
    expect(client.text).not.toContain('hidden');
  });

  it('is kept where a line end too many comes after a response', async () => {
    await using talk = await talking(answering(`${ok()}\r\n`));
    const { client, server } = talk;
    for (const expected of [/hi$/, /hi[\s\S]*hi$/]) {
      client.write(get);
      await client.until(expected);
    }
    expect(server.connections).toHaveLength(1);
  });

  it('carries a large body as the small one before it', async () => {
    await using talk = await talking(answering(ok()));
    const { client, server } = talk;
    const post = (length: number): string =>
      `POST /s HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: ${length}\r\n\r\n${'\xe9'.repeat(length)}`;
    client.write(post(10));
    await client.until(/hi$/);
    client.write(post(40_000));
    await client.until(/hi[\s\S]*hi$/);
    expect((await server.connection()).text).toBe(post(10) + post(40_000));
  });

  it('that ends in the middle of a head has ended for the client, too', async () => {
    await using talk = await talking();
    const { client, server, lab } = talk;
    client.write(get);
    const callee = await server.connection();
    await callee.until('\r\n\r\n');
    callee.socket.end('HTTP/1.1 200 OK\r\nContent-Le');
    expect(await client.untilEnded()).toBe('');
    expect(await lab.sink.end()).toMatchObject({ end: 'upstream-abort', detail: 'other side closed' });
  });

  it.each([false, true])(
    'that is given up while it is made is closed once it stands (by RST: %s)',
    async (reset) => {
      await using server = await RawServer.start();
      const seen: string[] = [];
      const open = () => {
        const socket = net.connect({ host: '127.0.0.1', port: server.port });
        // So a connection comes on record: the callee may have taken it by now.
        socket.once('connect', () => seen.push('opened'));
        socket.once('close', () => seen.push('closed'));
        return socket;
      };
      const upstream = new KeptAliveUpstream(open, 1000);
      const failures: string[] = [];
      const ignore = (): void => undefined;
      upstream.send('GET', get, null, {
        onInformational: ignore,
        onHead: ignore,
        onData: ignore,
        onEnd: ignore,
        onFailure: ({ kind }) => failures.push(kind),
      });
      upstream.destroy(reset);
      await eventually(() => seen.length === 2 || undefined, 'the end of the connection');
      expect(seen).toEqual(['opened', 'closed']);
      expect(failures).toEqual(['given-up']);
      expect((await server.connection()).text).toBe('');
    },
  );

  it('that no callee takes within its time is told as that', async () => {
    // Of TEST-NET-1 (RFC 5737): nobody is there, and nobody says so.
    await using lab = await tapped('http://192.0.2.1:9', { connectTimeoutMs: 30 });
    const client = await connect(lab.tap.origin);
    client.write(get);
    await client.until(/^HTTP\/1\.1 50[24] /);
    expect((await lab.sink.end()).detail).toMatch(/^unreachable: /);
    client.socket.destroy();
  });
});
