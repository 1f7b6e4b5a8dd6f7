import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CaptureSource, exchangeId, isPlugfestError, runId } from '@plugfest/model';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportNdjson } from '../ndjson/index.ts';
import { columnsOf, migrate } from '../schema/schema.ts';
import { recordEdge, recordExchange } from '../testing/traffic.ts';
import { openCapture } from '../writer/open.ts';
import { openCaptureSource } from './open.ts';

let folder: string;
let sound: Buffer;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  file = join(folder, 'sound.sqlite');
  const sink = openCapture({ file, run: runId('run-1') });
  recordEdge(sink);
  for (let i = 0; i < 30; i += 1)
    recordExchange(sink, {
      id: `x${i}`,
      request: { chunks: [`{"n":${i}}`] },
      response: { chunks: ['data: 1\n\n', 'data: 2\n\n', Buffer.alloc(20_000, i)] },
    });
  const exchange = exchangeId('x1');
  sink.record({ kind: 'trailers', exchange, side: 'response', headers: ['A', 'b'] });
  const change = { side: 'response', place: 'header', where: 'A', after: 'b', reason: 'test' } as const;
  sink.record({ kind: 'change', exchange, change });
  sink.record({ kind: 'gap', gap: { reason: 'body-cap', exchange, lostBytes: 3 } });
  sink.record({ kind: 'note', topic: 'test', text: 'a note', exchange });
  await sink.close();
  sound = readFileSync(file);
  file = join(folder, 'damaged.sqlite');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readAll(source: CaptureSource): void {
  source.participants();
  source.edges();
  source.gaps();
  source.notes();
  for (const line of exportNdjson(source)) expect(line).not.toBe('');
  expect(source.info.root).toMatch(/^sha256:/);
}

/** `fine`, or the code of the error; anything that is not an error of ours is thrown on. */
function outcome(): string {
  try {
    const source = openCaptureSource(file);
    try {
      readAll(source);
    } finally {
      source.close();
    }
    return 'fine';
  } catch (error) {
    if (!isPlugfestError(error) || !error.message.includes(file)) throw error;
    return error.code;
  }
}

function edited(sql: string, ...values: unknown[]): string {
  writeFileSync(file, sound);
  const db = new Database(file);
  try {
    db.prepare(sql).run(...values);
  } finally {
    db.close();
  }
  return outcome();
}

const read = {
  runs: ['id', 'writer', 'ended_ns'],
  clock: ['wall_ms'],
  participants: ['name', 'kind', 'about'],
  edges: ['id', 'caller', 'callee', 'kind', 'mode', 'upstream'],
  header_lists: ['fields'],
  exchanges: [...columnsOf('exchanges').keys()].filter((name) => name !== 'seq' && name !== 'id'),
  body_chunks: ['side', 'at_ns', 'size', 'lost', 'bytes'],
  trailers: ['headers'],
  further_changes: ['side', 'place', 'location', 'before', 'after', 'reason'],
  gaps: ['at_ns', 'reason', 'exchange_id', 'lost_bytes', 'detail'],
  notes: ['seq', 'at_ns', 'topic', 'text', 'exchange_id', 'cell'],
} as const;

describe('a capture with a value of the wrong type', () => {
  for (const [table, columns] of Object.entries(read))
    it(`in ${table} is a format error that names file and column`, () => {
      for (const column of columns) {
        const type = columnsOf(table).get(column)?.type;
        const wrong = type === 'TEXT' ? Buffer.from([0xff]) : type === 'BLOB' ? 'text' : 'no number';
        const only =
          column === 'id' || column === 'name' ? ` WHERE seq = (SELECT min(seq) FROM ${table})` : '';
        expect(edited(`UPDATE ${table} SET ${column} = ?${only}`, wrong), `${table}.${column}`).toBe(
          'PLUGFEST_CAPTURE_FORMAT',
        );
      }
    });

  const others: Readonly<Record<string, string>> = {
    'a start that is no time': 'UPDATE clock SET wall_ms = 9e15',
    'an endless start': 'UPDATE clock SET wall_ms = 9e999',
    'headers that are no JSON': `UPDATE header_lists SET fields = '["a'`,
    'headers that are no list': `UPDATE header_lists SET fields = '{}'`,
    'headers that are numbers': `UPDATE header_lists SET fields = '[1,2]'`,
    'trailers that are no JSON': `UPDATE trailers SET headers = ''`,
    'a head without its headers': 'DELETE FROM header_lists',
    'a head with changes that are not there': 'UPDATE exchanges SET request_changes = 77',
    'a chunk without its blob': `UPDATE body_chunks SET blob = 'none', bytes = NULL`,
    'no session': 'DELETE FROM runs',
  };
  for (const [what, sql] of Object.entries(others))
    it(`or with ${what} is a format error too`, () => {
      expect(edited(sql)).toBe('PLUGFEST_CAPTURE_FORMAT');
    });

  it('or with pieces that are one large blob again and again is one, without a try to hold them', () => {
    writeFileSync(file, sound);
    const db = new Database(file);
    db.exec(`
      INSERT INTO blobs VALUES ('large', zeroblob(40000000));
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO body_chunks (seq, exchange, side, at_ns, size, lost, blob)
      SELECT 900000 + i, (SELECT max(seq) FROM exchanges), 'response', 1, 40000000, 0, 'large' FROM n`);
    db.close();
    const before = process.memoryUsage().rss;
    expect(outcome()).toBe('PLUGFEST_CAPTURE_FORMAT');
    expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024);
  });

  it('or with texts in another encoding is a format error too', () => {
    rmSync(file, { force: true });
    const db = new Database(file);
    try {
      db.pragma(`encoding = 'UTF-16le'`);
      migrate(db);
      db.exec(
        `INSERT INTO runs (id, seq, ended_ns, redaction, recorder, writer) VALUES ('r', 1, 2, 'on', '{}', '{}')`,
      );
    } finally {
      db.close();
    }
    expect(outcome()).toBe('PLUGFEST_CAPTURE_FORMAT');
  });

  it('can be exported where only a time is beyond the calendar', () => {
    expect(edited('UPDATE exchanges SET at_ns = 9223372036854775807, synthetic = 0')).toBe('fine');
  });
});

describe('a capture that was damaged on its way', () => {
  it('and cut off at any page is a format error', () => {
    for (let size = 0; size < sound.byteLength; size += 4096) {
      writeFileSync(file, sound);
      truncateSync(file, size);
      expect(outcome(), `${size} bytes`).toBe('PLUGFEST_CAPTURE_FORMAT');
    }
  });

  it('in some bits is read, or is a format error, but never anything else', () => {
    let state = 12_345;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const seen = new Map<string, number>();
    for (let i = 0; i < 150; i += 1) {
      const bytes = Buffer.from(sound);
      for (let bits = 1 + random(8); bits > 0; bits -= 1) {
        // Every other one in the pages that hold the schema and the small tables.
        const at = random(i % 2 === 0 ? bytes.byteLength : Math.min(bytes.byteLength, 200_000));
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
      }
      writeFileSync(file, bytes);
      const code = outcome();
      seen.set(code, (seen.get(code) ?? 0) + 1);
    }
    for (const code of seen.keys())
      expect(['fine', 'PLUGFEST_CAPTURE_FORMAT', 'PLUGFEST_CAPTURE_VERSION']).toContain(code);
    expect(seen.get('fine')).toBeGreaterThan(0);
    expect(seen.get('PLUGFEST_CAPTURE_FORMAT')).toBeGreaterThan(0);
  });
});
