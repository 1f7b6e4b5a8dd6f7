import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CapturedExchange,
  type CaptureEvent,
  cellId,
  connectionId,
  edgeId,
  exchangeId,
  isPlugfestError,
  runId,
} from '@plugfest/model';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryCapture } from '../memory.ts';
import { openCaptureSource } from '../reader/open.ts';
import { bodyOf, eventsOf, recordEdge, recordExchange } from '../testing/traffic.ts';
import { type CaptureOptions, type FileSink, openCapture } from './open.ts';

let folder: string;
let file: string;
const sinks: FileSink[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  file = join(folder, 'capture.sqlite');
});

afterEach(async () => {
  for (const sink of sinks.splice(0)) await sink.close().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
});

function open(options: Partial<CaptureOptions> = {}): FileSink {
  const sink = openCapture({ file, run: runId('run-1'), ...options });
  sinks.push(sink);
  return sink;
}

function read(path = file): {
  exchanges: CapturedExchange[];
  info: { root: string; clean: boolean; exchanges: number };
  gaps: readonly object[];
  notes: readonly { text: string; topic: string }[];
} {
  const source = openCaptureSource(path);
  try {
    const exchanges = [...source.exchanges()];
    const { root, cleanShutdown: clean, exchanges: count } = source.info;
    return { exchanges, info: { root, clean, exchanges: count }, gaps: source.gaps(), notes: source.notes() };
  } finally {
    source.close();
  }
}

const codeOf = (error: unknown): string => (isPlugfestError(error) ? error.code : String(error));

function thrown(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return codeOf(error);
  }
  return 'nothing';
}

describe('a capture', () => {
  it('gives back every kind of record in the order of observation', async () => {
    const sink = open();
    recordEdge(sink);
    const exchange = exchangeId('x1');
    sink.record({
      kind: 'connection-open',
      connection: connectionId('c1'),
      edge: edgeId('client -> agent'),
      direction: 'inbound',
      remotePort: 4000,
    });
    sink.record({
      kind: 'request-head',
      exchange,
      edge: edgeId('client -> agent'),
      cell: cellId('cell-1'),
      purpose: 'probe',
      connection: connectionId('c1'),
      method: 'POST',
      target: '/a2a?x=1',
      httpVersion: '1.1',
      headers: ['Host', 'a', 'X-Twice', '1', 'x-twice', '2'],
      forwardedHeaders: ['Host', 'b'],
    });
    sink.record({ kind: 'chunk', exchange, side: 'request', bytes: Buffer.from('one') });
    sink.record({ kind: 'trailers', exchange, side: 'request', headers: ['T', '1'] });
    sink.record({ kind: 'body-end', exchange, side: 'request' });
    sink.record({ kind: 'informational', exchange, status: 103, headers: ['Link', '</a>'] });
    sink.record({ kind: 'response-head', exchange, status: 200, httpVersion: '1.1', headers: ['A', 'b'] });
    const change = {
      side: 'response',
      place: 'body',
      where: '/url',
      before: 'a',
      after: 'b',
      reason: 'card-url',
    } as const;
    sink.record({ kind: 'change', exchange, change });
    sink.record({ kind: 'chunk', exchange, side: 'response', bytes: Buffer.from('two') });
    sink.record({ kind: 'end', exchange, end: 'upstream-abort', detail: 'socket hang up' });
    sink.record({ kind: 'gap', gap: { reason: 'decode', exchange, lostBytes: 7, detail: 'why' } });
    sink.record({ kind: 'note', topic: 'lab', text: 'hello', cell: cellId('cell-1') });
    sink.record({ kind: 'connection-close', connection: connectionId('c1') });
    await sink.close();

    const { exchanges, info, gaps, notes } = read();
    expect(info).toMatchObject({
      clean: true,
      exchanges: 1,
      root: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(exchanges).toMatchObject([
      {
        id: 'x1',
        cell: 'cell-1',
        purpose: 'probe',
        connection: 'c1',
        edge: { caller: 'client', callee: 'agent', upstream: 'http://agent:80' },
        request: {
          target: '/a2a?x=1',
          headers: ['Host', 'a', 'X-Twice', '1', 'x-twice', '2'],
          forwardedHeaders: ['Host', 'b'],
          trailers: ['T', '1'],
          body: { totalBytes: 3, storedBytes: 3, endedAtNs: expect.any(Number) },
        },
        response: { status: 200, headers: ['A', 'b'], body: { totalBytes: 3 } },
        changes: [change],
        end: { kind: 'upstream-abort', detail: 'socket hang up' },
      },
    ]);
    expect(exchanges[0]?.response?.body).not.toHaveProperty('endedAtNs');
    expect(bodyOf(exchanges[0], 'response').toString()).toBe('two');
    expect(gaps).toMatchObject([{ reason: 'decode', exchange: 'x1', lostBytes: 7, detail: 'why' }]);
    expect(notes).toMatchObject([{ topic: 'lab', text: 'hello', cell: 'cell-1' }]);
  });

  it('keeps any bytes, headers and chunk borders, and reads back the same as memory', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 });
    const side = fc.record({
      headers: fc
        .array(fc.tuple(fc.constantFrom('A', 'b', 'X-Y'), text), { maxLength: 5 })
        .map((pairs) => pairs.flat()),
      chunks: fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }),
    });
    const exchange = fc.record({
      request: side,
      response: side,
      end: fc.constantFrom('complete', 'reset', 'open'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(exchange, { minLength: 1, maxLength: 8 }),
        fc.integer(),
        async (drawn, shuffle) => {
          rmSync(file, { force: true });
          let now = 0;
          const clock = { nowNs: () => ++now, wallMs: () => 1_000_000 };
          const sink = open({ clock, unsafeRaw: true });
          now = 0;
          const memory = memoryCapture(runId('run-1'), { clock: { ...clock, nowNs: () => now } });
          const streams = drawn.map((each, i) =>
            eventsOf({ ...each, id: `x${i}` } as Parameters<typeof eventsOf>[0]),
          );
          recordEdge(sink);
          recordEdge(memory);
          // Interleaves the exchanges, each in its own order.
          for (let turn = shuffle; streams.some((events) => events.length > 0); turn = turn * 31 + 7) {
            const alive = streams.filter((events) => events.length > 0);
            const event = alive[Math.abs(turn) % alive.length]?.shift();
            if (event === undefined) continue;
            const atNs = ++now;
            sink.record({ ...event, atNs });
            memory.record({ ...event, atNs });
          }
          await sink.close();
          await memory.close();
          const source = openCaptureSource(file);
          const wanted = [...memory.source().exchanges()];
          const plain = (exchanges: readonly CapturedExchange[]): unknown =>
            JSON.parse(JSON.stringify(exchanges));
          expect(plain([...source.exchanges()])).toEqual(plain(wanted));
          expect(source.info.root).toBe(memory.source().info.root);
          source.close();
        },
      ),
      { numRuns: 15 },
    );
  });

  it('is the same however its events fall into batches', async () => {
    const header = { where: 'Host', place: 'header', reason: 'host' } as const;
    const events = eventsOf({
      id: 'x1',
      request: { chunks: ['{"a":1}'] },
      response: { chunks: ['{"b":', '2}'] },
    });
    const [head, ...rest] = events;
    if (head?.kind !== 'request-head') throw new Error('an exchange begins with its request');
    const changed = rest.map((event) =>
      event.kind === 'response-head'
        ? { ...event, changes: [{ ...header, side: 'response' as const }] }
        : event,
    );
    const card = { side: 'response', place: 'body', where: '/url', reason: 'card-url' } as const;
    const all: CaptureEvent[] = [
      {
        ...head,
        forwardedHeaders: ['Host', 'b'],
        changes: [{ ...header, side: 'request', before: 'a', after: 'b' }],
      },
      ...changed.slice(0, -1),
      { kind: 'change', exchange: head.exchange, change: card },
      ...changed.slice(-1),
      // The client goes on sending after the end of its exchange.
      { kind: 'chunk', exchange: head.exchange, side: 'request', bytes: Buffer.from('late') },
    ];
    const seen: unknown[] = [];
    for (const each of [false, true]) {
      const sink = open({ existing: existsSync(file) ? 'replace' : 'refuse', unsafeRaw: true });
      recordEdge(sink);
      for (const [i, event] of all.entries()) {
        sink.record({ ...event, atNs: i });
        if (each) await sink.flush();
      }
      await sink.close();
      seen.push(JSON.parse(JSON.stringify(read().exchanges)));
      const db = new Database(file, { readonly: true });
      const changes = db.prepare('SELECT side, location, reason FROM changes ORDER BY seq').raw().all();
      expect(changes).toEqual([
        ['request', 'Host', 'host'],
        ['response', 'Host', 'host'],
        ['response', '/url', 'card-url'],
      ]);
      expect(
        db
          .prepare(
            `SELECT total_bytes FROM bodies WHERE exchange IN (SELECT seq FROM exchanges) ORDER BY side`,
          )
          .pluck()
          .all(),
      ).toEqual([11, 7]);
      db.close();
    }
    const [together, apart] = seen;
    expect(apart).toEqual(together);
    expect(together).toMatchObject([
      {
        changes: [{ before: 'a', after: 'b' }, { side: 'response', where: 'Host' }, card],
        request: { body: { totalBytes: 11 } },
        end: { kind: 'complete' },
      },
    ]);
  });

  it('copies the bytes of a chunk before record returns', async () => {
    const sink = open();
    recordEdge(sink);
    const bytes = Buffer.from('before');
    for (const event of eventsOf({ id: 'x1' })) {
      if (event.kind === 'body-end' && event.side === 'request')
        sink.record({ kind: 'chunk', exchange: event.exchange, side: 'request', bytes });
      sink.record(event);
    }
    bytes.fill('x');
    await sink.close();
    expect(bytes.byteLength).toBe(6);
    expect(bodyOf(read().exchanges[0], 'request').toString()).toBe('before');
  });

  it('stores a large chunk once, however often it is sent', async () => {
    const sink = open();
    const empty = statSync(file).size;
    recordEdge(sink);
    const large = Buffer.alloc(300_000, 'large ');
    for (let i = 0; i < 3; i += 1) recordExchange(sink, { id: `x${i}`, request: { chunks: [large] } });
    await sink.close();
    expect(read().exchanges.map((exchange) => bodyOf(exchange, 'request').equals(large))).toEqual([
      true,
      true,
      true,
    ]);
    expect(statSync(file).size - empty).toBeLessThan(2 * large.byteLength);
  });

  it('is one plain file that only its owner may read', async () => {
    const sink = open();
    recordEdge(sink);
    await sink.close();
    expect(readdirSync(folder)).toEqual(['capture.sqlite']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('answers queries by hand', async () => {
    const sink = open();
    recordEdge(sink);
    recordExchange(sink, { id: 'x1', request: { chunks: ['{"a":', '1}'] }, response: { chunks: ['{}'] } });
    await sink.close();
    const db = new Database(file, { readonly: true });
    expect(db.prepare('SELECT caller, callee, count(*) AS n FROM exchanges GROUP BY 1, 2').all()).toEqual([
      { caller: 'client', callee: 'agent', n: 1 },
    ]);
    expect(db.prepare('SELECT id, status, request_bytes, response_bytes, ended FROM traffic').get()).toEqual({
      id: 'x1',
      status: 200,
      request_bytes: 7,
      response_bytes: 2,
      ended: 'complete',
    });
    expect(db.prepare(`SELECT name, value FROM headers WHERE side = 'response'`).all()).toEqual([
      { name: 'Content-Type', value: 'application/json' },
    ]);
    expect(db.prepare(`SELECT body FROM texts WHERE side = 'request'`).get()).toEqual({ body: '{"a":1}' });
    expect(db.prepare(`SELECT sql FROM sqlite_master WHERE name = 'body_chunks'`).pluck().get()).toContain(
      '-- bytes on the wire',
    );
    db.close();
  });

  it('has the same root each time, whatever else the file went through', async () => {
    const sink = open();
    recordEdge(sink);
    for (let i = 0; i < 20; i += 1)
      recordExchange(sink, { id: `x${i}`, request: { chunks: [`{"n":${i}}`] } });
    await sink.close();
    const { root } = read().info;
    expect(read().info.root).toBe(root);
    const db = new Database(file);
    db.exec('VACUUM');
    db.close();
    expect(read().info.root).toBe(root);
    const again = new Database(file);
    again.exec(`UPDATE exchanges SET request_body = x'7b7d' WHERE seq = (SELECT min(seq) FROM exchanges)`);
    again.close();
    expect(read().info.root).not.toBe(root);
  });

  it('notes what refers to no exchange, and an id used twice, and goes on', async () => {
    const sink = open();
    recordEdge(sink);
    sink.record({ kind: 'end', exchange: exchangeId('ghost'), end: 'complete' });
    recordExchange(sink, { id: 'x1' });
    recordExchange(sink, { id: 'x1' });
    await sink.close();
    const { exchanges, notes } = read();
    expect(exchanges).toHaveLength(1);
    expect(notes.map(({ text }) => text)).toEqual([
      'record ignored: no request head has this exchange id',
      'request head ignored: the id x1 is taken by an earlier exchange',
    ]);
  });

  it('is flushed when flush resolves, without a close', async () => {
    const sink = open();
    recordEdge(sink);
    recordExchange(sink, { id: 'x1' });
    await sink.flush();
    const live = read();
    expect(live.exchanges.map(({ id }) => id)).toEqual(['x1']);
    expect(live.gaps).toEqual([]);
    recordExchange(sink, { id: 'x2' });
    expect(sink.flushSync()).toBe(true);
    expect(read().exchanges.map(({ id }) => id)).toEqual(['x1', 'x2']);
  });
});

describe('a capture file', () => {
  it('is never overwritten unasked', async () => {
    writeFileSync(file, 'precious');
    expect(thrown(() => open())).toBe('PLUGFEST_OUTPUT');
    expect(thrown(() => open({ existing: 'replace' }))).toBe('PLUGFEST_OUTPUT');
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(thrown(() => open({ file: join(folder, 'no', 'such', 'capture.sqlite') }))).toBe(
      'PLUGFEST_OUTPUT',
    );
  });

  it('is replaced where that was asked for', async () => {
    const first = open();
    recordEdge(first);
    recordExchange(first, { id: 'old' });
    await first.close();
    const second = open({ existing: 'replace' });
    recordEdge(second);
    recordExchange(second, { id: 'new' });
    await second.close();
    expect(read().exchanges.map(({ id }) => id)).toEqual(['new']);
  });

  it('takes another session, whose numbers and times go on', async () => {
    const first = open();
    recordEdge(first);
    recordExchange(first, { id: 'x1' });
    await first.close();
    const second = open({ existing: 'continue', run: runId('run-2') });
    recordExchange(second, { id: 'x2' });
    await second.close();
    const { exchanges, info } = read();
    expect(info.clean).toBe(true);
    const [a, b] = exchanges;
    expect(b?.edge).toEqual(a?.edge);
    expect(b?.request.atNs).toBeGreaterThan(a?.end.atNs ?? Number.POSITIVE_INFINITY);
  });

  it('has one writer at a time', async () => {
    const first = open();
    for (const existing of ['replace', 'continue'] as const)
      expect(thrown(() => open({ existing }))).toBe('PLUGFEST_CAPTURE_BUSY');
    await first.close();
    await open({ existing: 'continue' }).close();
  });

  it('is refused to a writer that cannot see the other one in its process table', async () => {
    const first = open();
    await first.flush();
    recordEdge(first);
    await first.flush();
    const db = new Database(file);
    expect(() => db.exec(`PRAGMA busy_timeout = 0; UPDATE runs SET writer = '{}'`)).toThrow(/locked/);
    db.close();
  });
});

describe('a recorder that cannot keep up', () => {
  it('drops payload, never heads, and says exactly how much', async () => {
    const sink = open({ queueBytes: 100_000 });
    recordEdge(sink);
    for (let i = 0; i < 10; i += 1)
      recordExchange(sink, { id: `x${i}`, response: { chunks: [Buffer.alloc(30_000)] } });
    await sink.close();
    const { exchanges, gaps } = read();
    expect(exchanges).toHaveLength(10);
    expect(exchanges.every(({ end }) => end.kind === 'complete')).toBe(true);
    const lost = exchanges.filter((exchange) => exchange.response?.body.storedBytes === 0);
    expect(lost.length).toBeGreaterThan(5);
    expect(exchanges.map((exchange) => exchange.response?.body.totalBytes)).toEqual(Array(10).fill(30_000));
    expect(gaps).toMatchObject(
      lost.map(({ id }) => ({ reason: 'queue-full', exchange: id, lostBytes: 30_000 })),
    );
  });

  it('stores no more of a body than its cap', async () => {
    const sink = open({ bodyCapBytes: 1000 });
    recordEdge(sink);
    const chunks = [Buffer.alloc(600), Buffer.alloc(600), Buffer.alloc(50)];
    recordExchange(sink, { id: 'x1', response: { chunks } });
    await sink.close();
    const { exchanges, gaps } = read();
    expect(exchanges[0]?.response?.body).toMatchObject({ totalBytes: 1250, storedBytes: 600 });
    expect(gaps).toMatchObject([{ reason: 'body-cap', exchange: 'x1', lostBytes: 650 }]);
  });
});

describe('a recorder that cannot write', () => {
  it('keeps heads where the payload has no room, marks the gap, and rejects', async () => {
    const sink = open({ limitBytes: 700_000 });
    recordEdge(sink);
    for (let i = 0; i < 40; i += 1) {
      recordExchange(sink, { id: `x${i}`, response: { chunks: [Buffer.alloc(40_000, `${i} `)] } });
      if (i % 4 === 3) await sink.flush().catch(() => undefined);
    }
    await expect(
      sink.flush().catch((error: unknown) => Promise.reject(new Error(codeOf(error)))),
    ).rejects.toThrow('PLUGFEST_CAPTURE_WRITE');
    const error: unknown = await sink.close().catch((reason: unknown) => reason);
    expect(codeOf(error)).toBe('PLUGFEST_CAPTURE_WRITE');
    expect(String(error)).toContain(file);
    const { exchanges, gaps } = read();
    expect(exchanges).toHaveLength(40);
    expect(exchanges[0]?.response?.body.storedBytes).toBe(40_000);
    expect(exchanges.at(-1)?.response?.body).toMatchObject({ totalBytes: 40_000, storedBytes: 0 });
    expect(gaps[0]).toMatchObject({ reason: 'disk', lostBytes: expect.any(Number) });
  });

  it('survives the death of its thread: record does not throw, flush and close reject', async () => {
    const sink = open();
    recordEdge(sink);
    await sink.flush();
    // What no caller may send: the thread dies of it.
    sink.record({ kind: 'clock', wallMs: {} } as unknown as CaptureEvent);
    await expect(sink.flush()).rejects.toMatchObject({ code: 'PLUGFEST_CAPTURE_WRITE' });
    expect(() => recordExchange(sink, { id: 'x1' })).not.toThrow();
    await expect(sink.close()).rejects.toMatchObject({ code: 'PLUGFEST_CAPTURE_WRITE' });
    expect(existsSync(file)).toBe(true);
    expect(sink.flushSync()).toBe(false);
  });
});
