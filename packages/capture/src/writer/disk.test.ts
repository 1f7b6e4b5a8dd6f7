import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CapturedExchange, exchangeId, type Gap, isPlugfestError, runId } from '@plugfest/model';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCaptureSource } from '../reader/open.ts';
import { bodyOf, eventsOf, recordEdge } from '../testing/traffic.ts';
import { type FileSink, openCapture } from './open.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The longest that one `record` took, in ms. */
let longestMs = 0;

function record(sink: FileSink, from: number, count: number, bytes: number): void {
  for (let i = from; i < from + count; i += 1)
    for (const event of eventsOf({ id: `x${i}`, response: { chunks: [Buffer.alloc(bytes, `${i}.`)] } })) {
      const before = performance.now();
      sink.record(event);
      longestMs = Math.max(longestMs, performance.now() - before);
    }
}

interface Left {
  readonly exchanges: readonly CapturedExchange[];
  readonly gaps: readonly Gap[];
}

function read(file: string): Left {
  const source = openCaptureSource(file);
  try {
    return { exchanges: [...source.exchanges()], gaps: source.gaps() };
  } finally {
    source.close();
  }
}

const integrity = (file: string): unknown => {
  const db = new Database(file, { readonly: true });
  try {
    return db.pragma('integrity_check', { simple: true });
  } finally {
    db.close();
  }
};

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) => (isPlugfestError(error) ? error.code : String(error)),
  );

describe('a body that is larger than what is stored of one', () => {
  it('keeps its beginning, once for all that begin so, its size, and the digest of all of it', async () => {
    const file = join(folder, 'large.sqlite');
    const sink = openCapture({ file, run: runId('run-1'), bodyCapBytes: 4 * 1024 * 1024 });
    recordEdge(sink);
    const pieces = Array.from({ length: 64 }, (_, i) => Buffer.alloc(256 * 1024, `${i}.`));
    const digest = createHash('sha256');
    for (const piece of pieces) digest.update(piece);
    for (const id of ['first', 'second'])
      for (const event of eventsOf({ id, response: { chunks: pieces } })) {
        sink.record(event);
        // An importer waits, too; a proxy would not, and drop what is too much.
        if (event.kind === 'chunk') await sink.flush();
      }
    await sink.close();
    const { exchanges, gaps } = read(file);
    const [wire, stored] = [16 * 1024 * 1024, 4 * 1024 * 1024];
    for (const { response } of exchanges)
      expect(response?.body).toMatchObject({ totalBytes: wire, storedBytes: stored });
    const lostBytes = wire - stored;
    expect(gaps).toMatchObject(
      ['first', 'second'].map((exchange) => ({ reason: 'body-cap', exchange, lostBytes })),
    );
    const db = new Database(file, { readonly: true });
    expect(db.prepare('SELECT sum(length(bytes)) FROM blobs').pluck().get()).toBe(stored);
    const digests = db.prepare("SELECT wire_sha256 FROM bodies WHERE side = 'response'").pluck().all();
    db.close();
    const whole = digest.digest('hex');
    expect(digests).toEqual([whole, whole]);
  });
});

describe('a disk that does not answer', () => {
  it('costs payload, says how much, and never keeps whoever records', async () => {
    const file = join(folder, 'stalled.sqlite');
    const sink = openCapture({ file, run: runId('run-1'), queueBytes: 256 * 1024 });
    // The writing thread has only been asked to start: until this lets go, it waits.
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    longestMs = 0;
    recordEdge(sink);
    for (let i = 0; i < 20; i += 1) {
      record(sink, i * 10, 10, 10_000);
      await delay(20);
    }
    // Half a second of a busy machine, where the wait for the disk would have been two.
    expect(longestMs).toBeLessThan(200);
    other.exec('ROLLBACK');
    other.close();
    await sink.flush();
    record(sink, 200, 10, 10_000);
    await sink.close();

    const { exchanges, gaps } = read(file);
    expect(exchanges.map(({ id }) => id)).toEqual(Array.from({ length: 210 }, (_, i) => `x${i}`));
    const lost = exchanges.map(({ response }) => {
      const { totalBytes = 0, storedBytes = 0 } = response?.body ?? {};
      expect(totalBytes).toBe(10_000);
      return totalBytes - storedBytes;
    });
    expect(lost.slice(0, 10).every((bytes) => bytes === 0)).toBe(true);
    expect(lost.slice(200).every((bytes) => bytes === 0)).toBe(true);
    expect(lost.filter((bytes) => bytes > 0).length).toBeGreaterThan(100);
    const marked = gaps.filter(({ reason }) => reason === 'queue-full');
    expect(marked.reduce((sum, { lostBytes = 0 }) => sum + lostBytes, 0)).toBe(lost.reduce((a, b) => a + b));
    expect(new Set(marked.map(({ exchange }) => exchange)).size).toBe(
      lost.filter((bytes) => bytes > 0).length,
    );
  });
});

/** Whether this is a machine, and a user, that may mount a file system. */
function mounts(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'capture-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

describe.skipIf(!mounts())('a disk that is full', () => {
  let disk: string;
  beforeAll(() => {
    disk = join(folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
  });
  afterAll(() => {
    execFileSync('umount', [disk]);
  });

  it('costs payload, then records; what is there can be read, and says what is not', async () => {
    const file = join(disk, 'full.sqlite');
    const sink = openCapture({ file, run: runId('run-1') });
    longestMs = 0;
    recordEdge(sink);
    for (let i = 0; i < 30; i += 1) {
      record(sink, i * 20, 20, 10_000);
      await delay(5);
    }
    expect(longestMs).toBeLessThan(200);
    const problems = [await codeOf(sink.flush()), await codeOf(sink.close())];
    expect(problems).toEqual(['PLUGFEST_CAPTURE_WRITE', 'PLUGFEST_CAPTURE_WRITE']);

    const { exchanges, gaps } = read(file);
    expect(integrity(file)).toBe('ok');
    // A prefix: nothing is missing in the middle of what is there.
    expect(exchanges.length).toBeGreaterThan(50);
    expect(exchanges.map(({ id }) => id)).toEqual(exchanges.map((_, i) => exchangeId(`x${i}`)));
    for (const [i, exchange] of exchanges.entries()) {
      const { totalBytes = 0, storedBytes = 0 } = exchange.response?.body ?? {};
      if (storedBytes === 10_000)
        expect(bodyOf(exchange, 'response').equals(Buffer.alloc(10_000, `${i}.`))).toBe(true);
      else expect(totalBytes - storedBytes).toBe(totalBytes);
    }
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.every(({ reason }) => reason === 'disk' || reason === 'unclean-shutdown')).toBe(true);
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  });

  it('is recorded to again once there is room, with the gap in between', async () => {
    const ballast = join(disk, 'ballast');
    const file = join(disk, 'freed.sqlite');
    const sink = openCapture({ file, run: runId('run-1') });
    recordEdge(sink);
    record(sink, 0, 5, 1000);
    await sink.flush();
    let size = 2 * 1024 * 1024;
    for (; size >= 4096; size /= 2)
      try {
        writeFileSync(ballast + size, Buffer.alloc(size));
      } catch {
        rmSync(ballast + size, { force: true });
      }
    record(sink, 5, 50, 20_000);
    expect(await codeOf(sink.flush())).toBe('PLUGFEST_CAPTURE_WRITE');
    for (let each = 2 * 1024 * 1024; each >= 4096; each /= 2) rmSync(ballast + each, { force: true });
    record(sink, 100, 5, 1000);
    expect(await codeOf(sink.close())).toBe('PLUGFEST_CAPTURE_WRITE');
    const { exchanges, gaps } = read(file);
    expect(integrity(file)).toBe('ok');
    expect(gaps).toContainEqual(expect.objectContaining({ reason: 'disk' }));
    const last = exchanges.slice(-5);
    expect(last.map(({ id }) => id)).toEqual([100, 101, 102, 103, 104].map((i) => `x${i}`));
    for (const { response } of last) expect(response?.body.storedBytes).toBe(1000);
  });
});
