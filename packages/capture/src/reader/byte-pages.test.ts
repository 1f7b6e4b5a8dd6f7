import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BytePages } from './byte-pages.ts';

let db: Database.Database;

beforeEach(() => {
  db = new Database(':memory:');
  db.exec('CREATE TABLE body_chunks (seq INTEGER PRIMARY KEY, exchange INTEGER, bytes BLOB)');
});
afterEach(() => db.close());

const table = {
  name: 'body_chunks',
  columns: ['exchange', 'seq', 'bytes'],
  order: 'exchange, seq',
  key: 'seq',
  bytes: ['bytes'],
};
type Row = readonly [exchange: number, seq: number, bytes: Buffer | null];

function put(...rows: readonly (readonly [seq: number, exchange: number, bytes: unknown])[]): void {
  const insert = db.prepare('INSERT INTO body_chunks (seq, exchange, bytes) VALUES (?, ?, ?)');
  for (const row of rows) insert.run(...row);
}

function readAll(after = -1): readonly Row[] {
  const pages = new BytePages<Row>(db, table, after);
  const rows: Row[] = [];
  try {
    for (let row = pages.next(); row !== undefined; row = pages.next()) rows.push(row);
  } finally {
    pages.close();
  }
  return rows;
}

it('gives each row its own bytes, over many pages, in the order asked for', () => {
  // Rows of an exchange lie apart in the table, as those of exchanges at the same time do.
  const rows = Array.from(
    { length: 500 },
    (_, seq) => [seq, seq % 7, randomBytes((seq * 37) % 900)] as const,
  );
  put(...rows);
  const expected = rows.toSorted((a, b) => a[1] - b[1] || a[0] - b[0]);
  expect(readAll()).toEqual(expected.map(([seq, exchange, bytes]) => [exchange, seq, bytes]));
  expect(readAll(5).map(([exchange]) => exchange)).toEqual(expected.filter(([, e]) => e > 5).map(() => 6));
});

it('tells nothing from no bytes, and takes any bytes for what they are', () => {
  const odd = Buffer.from([0, 0xff, 0, 0xc3, 0x28, 0, 0xf0, 0x9f]);
  put([1, 1, null], [2, 1, Buffer.alloc(0)], [3, 1, odd], [4, 1, null], [5, 2, odd]);
  expect(readAll().map(([, , bytes]) => bytes)).toEqual([null, Buffer.alloc(0), odd, null, odd]);
});

it('reads large values among small ones', () => {
  const sizes = [1, 64 * 1024, 64 * 1024 + 1, 300_000, 2];
  put(...sizes.map((size, i) => [i, i, randomBytes(size)] as const));
  const held = db.prepare<[], Buffer>('SELECT bytes FROM body_chunks ORDER BY seq').pluck().all();
  expect(readAll().map(([, , bytes]) => bytes)).toEqual(held);
});

it('refuses a value that is no bytes', () => {
  for (const wrong of ['text', 3, 1.5]) {
    db.exec('DELETE FROM body_chunks');
    put([1, 1, Buffer.from('right')], [2, 1, wrong]);
    expect(() => readAll(), String(wrong)).toThrow('body_chunks.bytes holds something that is no blob');
  }
});
