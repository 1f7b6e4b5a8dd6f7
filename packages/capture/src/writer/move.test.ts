import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlugfestError, runId } from '@plugfest/model';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCaptureSource } from '../reader/open.ts';
import { recordEdge, recordExchange } from '../testing/traffic.ts';
import { moveCapture } from './move.ts';
import { openCapture } from './open.ts';

let folder: string;
let from: string;
let to: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  from = join(folder, 'new.sqlite');
  to = join(folder, 'capture.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function record(file: string, id: string): Promise<void> {
  const sink = openCapture({ file, run: runId('run-1') });
  recordEdge(sink);
  recordExchange(sink, { id });
  await sink.close();
}

function idsIn(file: string): string[] {
  const source = openCaptureSource(file);
  try {
    return [...source.exchanges()].map(({ id }) => id);
  } finally {
    source.close();
  }
}

/** Gives a capture a log with everything in it, as a kill leaves it. */
function intoLog(file: string): void {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.exec("UPDATE exchanges SET id = id || '-logged'");
  const log = ['', '-wal'].map((suffix) => [suffix, readFileSync(file + suffix)] as const);
  db.close();
  for (const [suffix, bytes] of log) writeFileSync(file + suffix, bytes);
}

function thrown(action: () => unknown): { code?: string; message?: string } {
  try {
    action();
  } catch (error) {
    if (isPlugfestError(error)) return error;
    throw error;
  }
  return {};
}

describe('moving a capture', () => {
  it('never leaves it beside the log of the capture that was there', async () => {
    await record(from, 'new');
    await record(to, 'old');
    intoLog(to);
    moveCapture(from, to, 'replace');
    expect(idsIn(to)).toEqual(['new']);
    expect(readdirSync(folder)).toEqual(['capture.sqlite']);
  });

  it('removes a log that lies there alone, where it may, and refuses otherwise', async () => {
    await record(from, 'new');
    writeFileSync(`${to}-wal`, 'left over');
    const refused = thrown(() => moveCapture(from, to, 'refuse'));
    expect(refused).toMatchObject({ code: 'PLUGFEST_OUTPUT' });
    expect(refused.message).toContain(`${to}-wal already exists`);
    expect(readdirSync(folder).sort()).toEqual(['capture.sqlite-wal', 'new.sqlite']);
    moveCapture(from, to, 'replace');
    expect(readdirSync(folder)).toEqual(['capture.sqlite']);
  });

  it('takes a log along', async () => {
    await record(from, 'new');
    intoLog(from);
    await record(to, 'old');
    moveCapture(from, to, 'replace');
    expect(idsIn(to)).toEqual(['new-logged']);
    expect(existsSync(from)).toBe(false);
  });

  it('takes one whose recorder, in this process, had no room to store its end', async () => {
    await record(from, 'new');
    const db = new Database(from);
    db.exec('UPDATE runs SET ended_ns = NULL');
    db.close();
    moveCapture(from, to, 'refuse');
    expect(idsIn(to)).toEqual(['new']);
  });

  it('refuses the place of a capture that is being recorded, and to move one', async () => {
    await record(from, 'new');
    const sink = openCapture({ file: to, run: runId('run-2') });
    recordEdge(sink);
    await sink.flush();
    try {
      expect(thrown(() => moveCapture(from, to, 'replace')).code).toBe('PLUGFEST_CAPTURE_BUSY');
      expect(thrown(() => moveCapture(to, join(folder, 'other'), 'refuse')).code).toBe(
        'PLUGFEST_CAPTURE_BUSY',
      );
    } finally {
      await sink.close();
    }
    expect(idsIn(from)).toEqual(['new']);
  });

  const strange: Readonly<Record<string, () => void>> = {
    'a text': () => writeFileSync(to, 'notes'),
    'an empty file': () => writeFileSync(to, ''),
    "somebody's database": () => new Database(to).exec('CREATE TABLE t (a)').close(),
    'a link that leads nowhere': () => symlinkSync('/nowhere/at/all', to),
  };
  for (const [what, make] of Object.entries(strange))
    it(`leaves ${what} alone`, async () => {
      await record(from, 'new');
      make();
      const before = existsSync(to) ? readFileSync(to) : undefined;
      const refused = thrown(() => moveCapture(from, to, 'replace'));
      expect(refused).toMatchObject({ code: 'PLUGFEST_OUTPUT' });
      expect(refused.message).toContain('is not a Plugfest capture, so it is left alone');
      expect(existsSync(to) ? readFileSync(to) : undefined).toEqual(before);
      expect(idsIn(from)).toEqual(['new']);
    });

  it("leaves somebody's log alone: not even SQLite may work through it", async () => {
    await record(from, 'new');
    const theirs = new Database(to);
    theirs.pragma('journal_mode = WAL');
    theirs.exec('CREATE TABLE t (a)');
    const log = readFileSync(`${to}-wal`);
    expect(thrown(() => moveCapture(from, to, 'replace')).code).toBe('PLUGFEST_OUTPUT');
    expect(readFileSync(`${to}-wal`)).toEqual(log);
    theirs.close();
  });
});

describe('a recorder', () => {
  it('does not begin a capture beside the log of another', () => {
    writeFileSync(`${to}-wal`, 'left over');
    for (const existing of ['refuse', 'continue'] as const)
      expect(thrown(() => openCapture({ file: to, run: runId('run-1'), existing })).code).toBe(
        'PLUGFEST_OUTPUT',
      );
    expect(readdirSync(folder)).toEqual(['capture.sqlite-wal']);
  });
});
