import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCapture, openCaptureSource, webSocketMessages, webSocketSummary } from '@plugfest/capture';
import { type CapturedExchange, type Gap, runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

interface Recorded {
  readonly exchange: CapturedExchange;
  readonly gaps: readonly Gap[];
  readonly notes: readonly string[];
  /** Every byte in the folder, before the capture was closed and after. */
  readonly disk: string;
}

interface Talk {
  readonly deflate?: boolean;
  readonly withoutContext?: boolean;
  readonly unsafeRaw?: boolean;
  /** What the callee does with the connection. */
  readonly serve: (socket: WebSocket) => void;
  /** What the client does once it is open; the talk is over when the socket closes. */
  readonly open: (socket: WebSocket) => void;
}

/** A talk between two ends of the `ws` library, through a tap that records to a file. */
async function recorded({
  deflate = false,
  withoutContext,
  unsafeRaw,
  serve,
  open,
}: Talk): Promise<Recorded> {
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-ws-'));
  const file = join(folder, 'capture.sqlite');
  const disk = (): string =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: deflate && {
      threshold: 0,
      ...(withoutContext ? { clientNoContextTakeover: true, serverNoContextTakeover: true } : {}),
    },
  });
  await once(server, 'listening');
  server.on('connection', (socket) => serve(socket));
  const sink = openCapture({ file, run: runId('ws'), ...(unsafeRaw ? { unsafeRaw } : {}) });
  const interposer = createInterposer({ sink, run: sink.run });
  try {
    const tap = await interposer.openTap({
      caller: 'client',
      callee: 'agent',
      kind: 'a2a',
      upstream: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });
    const socket = new WebSocket(tap.origin.replace('http', 'ws'), {
      perMessageDeflate: deflate && { threshold: 0 },
    });
    socket.on('open', () => open(socket));
    socket.on('error', () => undefined);
    await once(socket, 'close');
    await interposer.close();
    await sink.flush();
    const before = disk();
    await sink.close();
    const source = openCaptureSource(file);
    const [exchange] = [...source.exchanges()];
    if (exchange === undefined) throw new Error('nothing was recorded');
    const result = {
      exchange,
      gaps: source.gaps(),
      notes: source.notes().map(({ text }) => text),
      disk: before + disk(),
    };
    source.close();
    return result;
  } finally {
    await interposer.close();
    await sink.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const shown = (exchange: CapturedExchange): string[] =>
  (webSocketMessages(exchange) ?? []).map(
    ({ side, kind, bytes, problem }) =>
      `${side === 'request' ? '>' : '<'} ${kind} ${kind === 'close' ? bytes.readUInt16BE(0) : bytes.toString()}${problem === undefined ? '' : `: ${problem}`}`,
  );

/** Answers each message with what it was. */
const echo = (socket: WebSocket): void => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
};

it.each([
  ['plain', {}],
  ['compressed, each message referring to those before it', { deflate: true }],
  ['compressed, each message by itself', { deflate: true, withoutContext: true }],
])('messages that are %s are read from the chunks of their exchange', async (_how, options) => {
  const said = ['{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"2.0","id":2}', 'caf\u00e9', 'x'.repeat(70_000)];
  const { exchange, gaps } = await recorded({
    ...options,
    serve: echo,
    open: (socket) => {
      socket.ping('p');
      let heard = 0;
      const next = (): void => {
        const text = said[heard++];
        if (text === undefined) socket.close(1000, 'bye');
        else socket.send(text);
      };
      socket.on('message', next);
      next();
    },
  });
  expect(exchange.end.kind).toBe('complete');
  expect(exchange.response?.status).toBe(101);
  expect(gaps).toEqual([]);
  const messages = shown(exchange);
  expect(messages.filter((each) => each.startsWith('> '))).toEqual([
    '> ping p',
    ...said.map((text) => `> text ${text}`),
    '> close 1000',
  ]);
  expect(messages.filter((each) => each.startsWith('< '))).toEqual([
    '< pong p',
    ...said.map((text) => `< text ${text}`),
    '< close 1000',
  ]);
  // In the order in which they crossed.
  expect(messages.indexOf(`> text ${said[1]}`)).toBeGreaterThan(messages.indexOf(`< text ${said[0]}`));
  expect(webSocketSummary(exchange)).toBe(
    'WebSocket: caller 4 messages of 70053 bytes, 1 pings and pongs, close 1000; callee 4 messages of 70053 bytes, 1 pings and pongs, close 1000',
  );
});

const secret = 'kx83-planted-secret-99';

it.each([
  ['plain', {}],
  ['compressed, each message referring to those before it', { deflate: true }],
  ['compressed, each message by itself', { deflate: true, withoutContext: true }],
])(
  'a secret in messages that are %s never reaches the disk, and the rest can be read',
  async (_how, options) => {
    const { exchange, disk, gaps } = await recorded({
      ...options,
      serve: echo,
      open: (socket) => {
        const said = [
          '{"method":"hello"}',
          `{"params":{"token":"${secret}"}}`,
          `{"params":{"about":"${secret}"}}`,
          '{"method":"hello","params":{"about":"nothing"}}',
        ];
        let heard = 0;
        const next = (): void => {
          const text = said[heard++];
          if (text === undefined) {
            // In pieces, so that no frame has the whole secret.
            socket.send('{"token":"kx83-pla', { fin: false });
            socket.ping();
            socket.send('nted-secret-99"}', { fin: true });
            socket.removeAllListeners('message');
            socket.on('message', () => socket.close(1000));
          } else socket.send(text);
        };
        socket.on('message', next);
        next();
      },
    });
    expect(disk).not.toContain(secret);
    expect(disk).not.toContain('planted');
    expect(gaps).toEqual([]);
    const messages = shown(exchange).filter((each) => !each.includes('ping') && !each.includes('pong'));
    const token = /‹hmac:[0-9a-f]+›/.exec(messages.join('\n'))?.[0] ?? 'no token';
    const texts = [
      '{"method":"hello"}',
      `{"params":{"token":"${token}"}}`,
      `{"params":{"about":"${token}"}}`,
      '{"method":"hello","params":{"about":"nothing"}}',
      `{"token":"${token}"}`,
    ];
    expect(messages).toEqual([
      ...texts.flatMap((text) => [`> text ${text}`, `< text ${text}`]),
      '> close 1000',
      '< close 1000',
    ]);
  },
);

it('with --unsafe-raw frames are stored as they came', async () => {
  const { exchange } = await recorded({
    unsafeRaw: true,
    serve: echo,
    open: (socket) => {
      socket.on('message', () => socket.close(1000));
      socket.send(`{"token":"${secret}"}`);
    },
  });
  expect(shown(exchange)[0]).toBe(`> text {"token":"${secret}"}`);
});

it('an end without a close frame is told from a whole talk', async () => {
  const { exchange } = await recorded({
    serve: (socket) => socket.on('message', () => socket.terminate()),
    open: (socket) => socket.send('hello'),
  });
  expect(webSocketSummary(exchange)).toContain(
    'callee 0 messages of 0 bytes, 0 pings and pongs, no close frame',
  );
});
