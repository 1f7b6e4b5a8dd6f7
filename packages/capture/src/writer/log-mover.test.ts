import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runId } from '@plugfest/model';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCaptureSource } from '../reader/open.ts';
import { recordEdge, recordExchange } from '../testing/traffic.ts';
import { LogMover } from './log-mover.ts';
import { openCapture } from './open.ts';

const mebibyte = 1024 * 1024;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  file = join(folder, 'capture.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes a capture with a log that holds more than the file does. */
async function logged(): Promise<Database.Database> {
  await openCapture({ file, run: runId('run-1') }).close();
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('wal_autocheckpoint = 0');
  db.exec('CREATE TABLE more (a); INSERT INTO more VALUES (zeroblob(1000000))');
  return db;
}

const walBytes = (): number => statSync(`${file}-wal`).size;

/** How often the log has begun anew (https://sqlite.org/walformat.html, checkpoint sequence number). */
const beginnings = (): number => readFileSync(`${file}-wal`).readUInt32BE(12);

describe('a log mover', () => {
  it('moves the log beside a connection that holds the write lock', async () => {
    const db = await logged();
    db.exec('BEGIN IMMEDIATE');
    const before = statSync(file).size;
    const mover = new LogMover(file);
    mover.begin();
    mover.wait(20_000);
    expect(mover.moving).toBe(false);
    expect(statSync(file).size).toBeGreaterThan(before + 1_000_000 - 16_384);
    mover.end();
    db.exec('COMMIT');
    // Nobody else has it open.
    expect(db.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
    db.close();
  });

  it('leaves another file alone that has come to bear the name', async () => {
    await openCapture({ file, run: runId('run-1') }).close();
    const mover = new LogMover(file);
    renameSync(file, `${file}.moved`);
    const db = await logged();
    const [bytes, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
    mover.begin();
    mover.wait(20_000);
    expect(mover.moving).toBe(false);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
    mover.end();
    db.close();
  });
});

describe('the write-ahead log of a recorder', () => {
  async function recordMuch(mebibytes: number): Promise<{ longest: number; anew: number }> {
    const sink = openCapture({ file, run: runId('run-1') });
    recordEdge(sink);
    await sink.flush();
    const first = beginnings();
    const body = Buffer.alloc(mebibyte / 4, 'some words ');
    let longest = 0;
    for (let i = 0; i < 4 * mebibytes; i += 1) {
      body.writeUInt32LE(i);
      recordExchange(sink, { id: `x${i}`, response: { chunks: [body] } });
      await sink.flush();
      longest = Math.max(longest, walBytes());
    }
    const anew = beginnings() - first;
    await sink.close();
    return { longest, anew };
  }

  function storedIds(): string[] {
    const source = openCaptureSource(file);
    try {
      return [...source.exchanges()].map(({ id }) => id);
    } finally {
      source.close();
    }
  }

  it('begins anew under steady traffic, and goes with the recorder', async () => {
    const { longest, anew } = await recordMuch(200);
    expect(anew).toBeGreaterThan(0);
    expect(longest).toBeLessThan(160 * mebibyte);
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect(storedIds()).toEqual(Array.from({ length: 800 }, (_, i) => `x${i}`));
  }, 60_000);

  it('grows while a reader needs it, who still reads what was there', async () => {
    await openCapture({ file, run: runId('run-0') }).close();
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.exec('BEGIN');
    const read = db.prepare('SELECT count(*) FROM exchanges').pluck();
    expect(read.get()).toBe(0);
    const sink = openCapture({ file, run: runId('run-1'), existing: 'continue' });
    recordEdge(sink);
    const body = Buffer.alloc(mebibyte, 'some words ');
    for (let i = 0; i < 150; i += 1) {
      body.writeUInt32LE(i);
      recordExchange(sink, { id: `x${i}`, response: { chunks: [body] } });
      await sink.flush();
    }
    expect(read.get()).toBe(0);
    db.exec('COMMIT');
    expect(read.get()).toBe(150);
    db.close();
    await sink.close();
    expect(storedIds()).toHaveLength(150);
  }, 60_000);
});
