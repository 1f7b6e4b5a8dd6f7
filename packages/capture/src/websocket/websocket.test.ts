import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import {
  type CapturedExchange,
  type CaptureEvent,
  exchangeId,
  type RawHeaders,
  runId,
} from '@plugfest/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFormats } from '../formats/registry.ts';
import { memoryCapture } from '../memory.ts';
import { openCaptureSource } from '../reader/open.ts';
import { recordEdge } from '../testing/traffic.ts';
import { openCapture } from '../writer/open.ts';
import { frameOf } from './frame.ts';
import { webSocketMessages, webSocketSummary } from './messages.ts';

const switching = ['Upgrade', 'websocket', 'Connection', 'Upgrade'];
const deflating = [
  ...switching,
  'Sec-WebSocket-Extensions',
  'permessage-deflate; server_no_context_takeover',
];
const key = Buffer.from([0x13, 0x37, 0xfe, 0x01]);

const sent = (text: string): Buffer => frameOf(1, Buffer.from(text), key);
const told = (text: string): Buffer => frameOf(1, Buffer.from(text), undefined);

/** A message of a server under permessage-deflate (RFC 7692 section 7.2.1). */
function compressed(text: string | Buffer): Buffer {
  const payload = deflateRawSync(text, { finishFlush: 2 }).subarray(0, -4);
  const frame = frameOf(1, payload, undefined);
  frame[0] = (frame[0] ?? 0) | 0x40;
  return frame;
}

interface Talk {
  readonly headers?: RawHeaders;
  readonly client?: readonly Uint8Array[];
  readonly server?: readonly Uint8Array[];
}

function eventsOf({ headers = switching, client = [], server = [] }: Talk): CaptureEvent[] {
  const exchange = exchangeId('x1');
  const chunk = (side: 'request' | 'response') => (bytes: Uint8Array) =>
    ({ kind: 'chunk', exchange, side, bytes }) as const;
  return [
    {
      kind: 'request-head',
      exchange,
      edge: 'client -> agent' as never,
      ...{ method: 'GET', target: '/ws', httpVersion: '1.1', headers: switching },
    },
    { kind: 'response-head', exchange, status: 101, httpVersion: '1.1', headers },
    ...client.map(chunk('request')),
    ...server.map(chunk('response')),
    { kind: 'end', exchange, end: 'complete' },
  ];
}

function inMemory(talk: Talk) {
  const sink = memoryCapture(runId('run'));
  recordEdge(sink);
  for (const event of eventsOf(talk)) sink.record(event);
  return sink.source();
}

async function onDisk(talk: Talk) {
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-ws-'));
  try {
    const file = join(folder, 'capture.sqlite');
    const sink = openCapture({ file, run: runId('run') });
    recordEdge(sink);
    for (const event of eventsOf(talk)) sink.record(event);
    await sink.close();
    const source = openCaptureSource(file);
    const [exchange] = [...source.exchanges()];
    const gaps = source.gaps();
    source.close();
    if (exchange === undefined) throw new Error('nothing was stored');
    return { exchange, gaps };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const read = (exchange: CapturedExchange | undefined): (string | undefined)[] =>
  (exchange === undefined ? [] : (webSocketMessages(exchange) ?? [])).map(({ bytes, problem }) =>
    problem === undefined ? bytes.toString() : `! ${problem}`,
  );

/** The same bytes in other pieces. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.byteLength + 1)))].sort((a, b) => a - b);
  return [...at, bytes.byteLength].map((end, i) => bytes.subarray(at[i - 1] ?? 0, end));
}

describe('messages of a WebSocket', () => {
  it('are the same wherever the borders of chunks fall, also once their secrets are gone', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    const cuts = fc.array(fc.nat(), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), cuts, async (texts, at) => {
        const said = ['{"token":"planted-secret-1"}', ...texts.map((each) => JSON.stringify({ text: each }))];
        const talk = {
          headers: deflating,
          client: pieces(Buffer.concat(said.map(sent)), at),
          server: pieces(Buffer.concat(said.map(compressed)), at),
        };
        const [plain] = [...inMemory(talk).exchanges()];
        expect(read(plain)).toHaveLength(2 * said.length);
        expect(new Set(read(plain))).toEqual(new Set(said));
        const { exchange, gaps } = await onDisk(talk);
        expect(gaps).toEqual([]);
        const stored = read(exchange);
        expect(stored).toHaveLength(2 * said.length);
        expect(stored.filter((each) => /^\{"token":"‹hmac:[0-9a-f]{20}›"\}$/.test(each ?? ''))).toHaveLength(
          2,
        );
        expect(stored.join()).not.toContain('planted');
      }),
      { numRuns: 20 },
    );
  });

  it('are read from any bytes without an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, deflate) => {
        const headers = deflate ? deflating : switching;
        const [exchange] = [...inMemory({ headers, client: [bytes], server: [bytes] }).exchanges()];
        expect(read(exchange)).toBeDefined();
      }),
    );
  });

  it('say what is wrong with them', () => {
    const [exchange] = [
      ...inMemory({
        client: [told('unmasked')],
        server: [sent('masked'), told('cut').subarray(0, 4)],
      }).exchanges(),
    ];
    expect(read(exchange)).toEqual([
      '! a client has to mask it',
      '! a server must not mask it',
      '! the frame was cut off',
    ]);
    const [other] = [...inMemory({ server: [Buffer.from('not a frame')] }).exchanges()];
    expect(read(other)).toEqual(['! these bytes are no frame']);
  });

  it('are not unpacked beyond a bound', async () => {
    const bomb = compressed(Buffer.alloc(64 * 1024 * 1024));
    const talk = { headers: deflating, server: [bomb, told('after')] };
    const [plain] = [...inMemory(talk).exchanges()];
    expect(read(plain)).toEqual(['! it cannot be decompressed', 'after']);
    // What cannot be searched for secrets is not stored.
    const { exchange, gaps } = await onDisk(talk);
    expect(exchange.response?.body.storedBytes).toBe(0);
    expect(gaps).toMatchObject([{ reason: 'decode' }]);
  });

  it('that are cut off are stored where nothing in them is secret, and not where something is', async () => {
    const clean = sent('{"text":"nothing at all"}').subarray(0, 20);
    expect((await onDisk({ client: [clean] })).gaps).toEqual([]);
    const secret = sent('{"token":"planted-secret-1","more":1}').subarray(0, 34);
    const { exchange, gaps } = await onDisk({ client: [sent('whole'), secret] });
    expect(read(exchange)).toEqual(['whole']);
    expect(gaps).toMatchObject([{ reason: 'decode', lostBytes: secret.byteLength }]);
  });

  it('of a client that sends no frames are not stored, and of a server only as text', async () => {
    const { exchange, gaps } = await onDisk({
      client: [Buffer.from('GET /?token=planted-secret-1')],
      server: [Buffer.from('no frames, token: planted-secret-1')],
    });
    expect(gaps).toMatchObject([{ reason: 'decode' }]);
    const [chunk] = exchange.response?.body.chunks ?? [];
    expect(Buffer.from(chunk?.bytes ?? []).toString()).toMatch(/^no frames, token: ‹hmac:/);
  });
});

describe('exports of a WebSocket', () => {
  const talk = {
    client: [sent('{"method":"SendMessage"}'), frameOf(8, Buffer.from([3, 232]), key)],
    server: [told('{"state":"TASK_STATE_WORKING"}'), frameOf(2, Buffer.from([1, 2]), undefined)],
  };
  const written = async (format: string): Promise<string> => {
    const formats = await loadFormats();
    return [...(formats.find((each) => each.format === format)?.write?.(inMemory(talk), {}) ?? [])].join('');
  };

  it('show its messages in HAR, as browsers do', async () => {
    const [entry] = JSON.parse(await written('har')).log.entries;
    expect(entry._resourceType).toBe('websocket');
    expect(entry._webSocketMessages).toMatchObject([
      { type: 'send', opcode: 1, data: '{"method":"SendMessage"}' },
      { type: 'send', opcode: 8, data: 'A+g=' },
      { type: 'receive', opcode: 1, data: '{"state":"TASK_STATE_WORKING"}' },
      { type: 'receive', opcode: 2, data: 'AQI=' },
    ]);
    expect(entry.response.content).not.toHaveProperty('text');
  });

  it('show its messages as arrows of a diagram', async () => {
    expect((await written('mermaid')).split('\n').slice(3)).toEqual([
      '  p1->>p2: x1 GET /ws',
      '  p2-->>p1: x1 101 WebSocket',
      '  p1->>p2: x1 text, 24 bytes',
      '  p1->>p2: x1 close 1000, 2 bytes',
      '  p2-->>p1: x1 text, 30 bytes TASK_STATE_WORKING',
      '  p2-->>p1: x1 binary, 2 bytes',
      '',
    ]);
  });

  it('sum it up in a line', () => {
    const [exchange] = [...inMemory(talk).exchanges()];
    expect(exchange && webSocketSummary(exchange)).toBe(
      'WebSocket: caller 1 messages of 24 bytes, 0 pings and pongs, close 1000; callee 2 messages of 32 bytes, 0 pings and pongs, no close frame',
    );
  });
});
