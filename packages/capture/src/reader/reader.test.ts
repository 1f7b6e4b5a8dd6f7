import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlugfestError, runId } from '@plugfest/model';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { schemaVersion } from '../schema/schema.ts';
import { recordEdge, recordExchange } from '../testing/traffic.ts';
import { openCapture } from '../writer/open.ts';
import { openCaptureSource } from './open.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  file = join(folder, 'capture.sqlite');
});

afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

async function record(exchanges = 3, bodyBytes = 10): Promise<void> {
  const sink = openCapture({ file, run: runId('run-1') });
  recordEdge(sink);
  for (let i = 0; i < exchanges; i += 1)
    recordExchange(sink, { id: `x${i}`, request: { chunks: [Buffer.alloc(bodyBytes, `${i} `)] } });
  await sink.close();
}

/** What the user is told. */
function complaint(action: () => unknown): { code: string; message: string; hint: string } {
  try {
    action();
  } catch (error) {
    if (isPlugfestError(error)) return { code: error.code, message: error.message, hint: error.hint ?? '' };
    throw error;
  }
  throw new Error('nothing was thrown');
}

function readAll(): number {
  const source = openCaptureSource(file);
  try {
    return [...source.exchanges()].length;
  } finally {
    source.close();
  }
}

describe('a file that is no capture', () => {
  const cases: Readonly<Record<string, readonly [make: () => unknown, code: string, words: string]>> = {
    'that is not there': [() => undefined, 'PLUGFEST_CAPTURE_NOT_FOUND', 'no such file'],
    'that is a folder': [() => mkdirSync(file), 'PLUGFEST_CAPTURE_NOT_FOUND', 'not a file'],
    'that is empty': [() => writeFileSync(file, ''), 'PLUGFEST_CAPTURE_FORMAT', 'empty'],
    'of text': [
      () => writeFileSync(file, '{"log":{}}'.repeat(100)),
      'PLUGFEST_CAPTURE_FORMAT',
      'not a SQLite file',
    ],
    'of somebody else': [
      () => new Database(file).exec('CREATE TABLE t (a)').close(),
      'PLUGFEST_CAPTURE_FORMAT',
      'not of Plugfest',
    ],
    'that was cut off': [
      async () => {
        await record(100, 1000);
        truncateSync(file, 50_000);
      },
      'PLUGFEST_CAPTURE_FORMAT',
      'truncated, 50000 of',
    ],
    'of a newer version': [
      async () => {
        await record();
        const db = new Database(file);
        db.pragma(`user_version = ${schemaVersion + 1}`);
        db.close();
      },
      'PLUGFEST_CAPTURE_VERSION',
      `version ${schemaVersion + 1}`,
    ],
  };
  for (const [name, [make, code, words]] of Object.entries(cases)) {
    it(`${name} is refused by name, and left alone`, async () => {
      await make();
      const before = readdirSync(folder);
      const found = complaint(readAll);
      expect(found).toMatchObject({ code, message: expect.stringContaining(file) });
      expect(found.message).toContain(words);
      expect(found.hint).not.toBe('');
      expect(readdirSync(folder)).toEqual(before);
    });
  }

  it('whose pages are damaged is refused where the damage is met', async () => {
    await record(200, 1000);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 8192 * 4, bytes.byteLength - 8192);
    writeFileSync(file, bytes);
    expect(complaint(readAll)).toMatchObject({
      code: 'PLUGFEST_CAPTURE_FORMAT',
      message: expect.stringContaining(file),
    });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

describe('a capture with a schema that is not ours', () => {
  const endless = `
    ALTER TABLE exchanges RENAME TO real_exchanges;
    CREATE VIEW exchanges AS
      WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT e.* FROM real_exchanges e, r`;
  const cases: Readonly<Record<string, readonly [sql: string, words: string]>> = {
    'that has an endless view for a table': [endless, 'is not as Plugfest makes it'],
    'that has a trigger': [
      'CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM exchanges; END',
      'the trigger t is not as',
    ],
    'that has a virtual table': ['CREATE VIRTUAL TABLE v USING fts5(a)', 'is not as Plugfest makes it'],
    'that has another view of the same name': [
      'DROP VIEW texts; CREATE VIEW texts AS SELECT 1 AS a',
      'the view texts is not as',
    ],
    'that has an expression in an index': ['CREATE INDEX i ON notes (abs(seq))', 'the index i is not as'],
    'that lacks a table': ['DROP TABLE gaps', 'the table gaps is missing'],
    'that lacks a column': ['ALTER TABLE notes DROP COLUMN cell', 'the table notes is not as'],
  };
  for (const [name, [sql, words]] of Object.entries(cases))
    it(`${name} is refused before anything of it is run, by readers and writers`, async () => {
      await record();
      const db = new Database(file);
      db.pragma('legacy_alter_table = ON');
      db.exec(sql);
      db.close();
      const found = complaint(readAll);
      expect(found).toMatchObject({
        code: 'PLUGFEST_CAPTURE_FORMAT',
        message: expect.stringContaining(file),
      });
      expect(found.message).toContain(words);
      for (const existing of ['continue', 'replace'] as const)
        expect(complaint(() => openCapture({ file, run: runId('run-2'), existing }))).toMatchObject({
          code: 'PLUGFEST_OUTPUT',
          message: expect.stringContaining('left alone'),
        });
    });
});

describe('a capture whose schema has other comments', () => {
  const rewrite = (change: (sql: string) => string): void => {
    const db = new Database(file);
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    const sql =
      db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'exchanges'").pluck().get() ?? '';
    const changed = change(sql);
    expect(changed).not.toBe(sql);
    db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'exchanges'").run(changed);
    db.close();
  };

  it('is read: an older Plugfest said in other words what a column means', async () => {
    await record();
    rewrite((sql) => sql.replace(/-- .*what the source did not have.*/, '-- 1: the source had no times'));
    expect(readAll()).toBe(3);
  });

  it('is refused where what looks like a comment is code', async () => {
    await record();
    rewrite((sql) => sql.replace(/,( +-- what the source did not have)/, " CHECK (synthetic <> '-- 9'),$1"));
    expect(complaint(readAll).message).toContain('the table exchanges is not as');
  });
});

describe('reading', () => {
  it('leaves the file, and the folder, as they were, also where nothing may be written', async () => {
    await record();
    chmodSync(file, 0o400);
    chmodSync(folder, 0o500);
    const before = readFileSync(file);
    expect(readAll()).toBe(3);
    expect(readdirSync(folder)).toEqual(['capture.sqlite']);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('takes a main file alone that still asks for a write-ahead log', async () => {
    await record();
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.close();
    expect(readAll()).toBe(3);
    expect(readdirSync(folder)).toEqual(['capture.sqlite']);
  });

  it('can stop early, and begin again', async () => {
    await record(50);
    const source = openCaptureSource(file);
    for (const { id } of source.exchanges()) if (id === 'x3') break;
    const [first] = source.exchanges();
    expect(first?.id).toBe('x0');
    const { root } = source.info;
    expect([...source.exchanges()]).toHaveLength(50);
    expect(source.info.root).toBe(root);
    source.close();
    source.close();
  });
});
