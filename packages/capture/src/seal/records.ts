import type { Database } from 'better-sqlite3';
import { Damage } from '../reader/damage.ts';
import type { RawRow } from '../reader/rows.ts';
import { columnsOf } from '../schema/schema.ts';
import { RecordHash } from './record-hash.ts';

/** A key of a record: a sequence number, an id, or a name. */
export type RecordKey = number | string;

/** Everything in a section that has the same key; in the traffic, an exchange with all that belongs to it. */
export interface SealedRecord {
  readonly key: RecordKey;
  readonly digest: Buffer;
  /** The id of the exchange, where it is one. */
  readonly exchange: string | undefined;
  /** The first table that has something of it. */
  readonly table: string;
}

interface KeyedTable {
  readonly name: string;
  readonly key: string;
  /** Gives the same order whatever the file went through. */
  readonly order: string;
}

/** Rows under the sequence number of their event, or of the exchange that they belong to. */
const traffic: readonly KeyedTable[] = [
  ...['runs', 'clock', 'connections', 'exchanges'].map((name) => ({ name, key: 'seq', order: 'seq' })),
  { name: 'participants', key: 'seq', order: 'seq, name' },
  { name: 'edges', key: 'seq', order: 'seq, id' },
  ...['informational', 'body_chunks', 'further_changes'].map((name) => ({
    name,
    key: 'exchange',
    order: 'exchange, seq',
  })),
  ...['altered_bodies', 'trailers'].map((name) => ({ name, key: 'exchange', order: 'exchange, side' })),
  ...['gaps', 'notes'].map((name) => ({ name, key: 'seq', order: 'seq, rowid' })),
];

/** The sections of a seal, in the order of the chain. */
export const sections: ReadonlyMap<string, readonly KeyedTable[]> = new Map([
  ['traffic', traffic],
  ['header_lists', [{ name: 'header_lists', key: 'id', order: 'id' }]],
  ['change_lists', [{ name: 'change_lists', key: 'id', order: 'id' }]],
  ['blobs', [{ name: 'blobs', key: 'sha256', order: 'sha256' }]],
  ['spans', [{ name: 'spans', key: 'trace_id', order: 'trace_id, span_id' }]],
]);

/** Whether a table's content is in the chain; a test holds the schema to it. */
export const isInSeal = (table: string): boolean =>
  [...sections.values()].some((tables) => tables.some(({ name }) => name === table));

/** One table, row by row. */
class KeyedRows {
  readonly table: string;
  readonly #rows: IterableIterator<RawRow>;
  readonly #keyAt: number;
  readonly #keyType: 'number' | 'string';
  readonly #column: string;
  row: RawRow | undefined;
  key: RecordKey | undefined;

  constructor(db: Database, { name, key, order }: KeyedTable) {
    const columns = columnsOf(name);
    const names = [...columns.keys()];
    this.table = name;
    this.#column = `${name}.${key}`;
    this.#keyAt = names.indexOf(key);
    this.#keyType = columns.get(key)?.type === 'INTEGER' ? 'number' : 'string';
    this.#rows = db
      .prepare<[], RawRow>(`SELECT ${names.join(', ')} FROM ${name} ORDER BY ${order}`)
      .raw()
      .iterate();
    this.advance();
  }

  advance(): void {
    const next = this.#rows.next();
    this.row = next.done ? undefined : next.value;
    if (this.row === undefined) {
      this.key = undefined;
      return;
    }
    const key = this.row[this.#keyAt] as RecordKey;
    if (typeof key !== this.#keyType) throw new Damage(`${this.#column} holds something that is no key`);
    // In a tree whose pages point in a circle, the same rows come round again.
    if (this.key !== undefined && key < this.key)
      throw new Damage(`${this.table} is not in the order of its keys`);
    this.key = key;
  }

  close(): void {
    this.#rows.return?.();
  }
}

/** The records of a section in the order of their keys, one in memory at a time. Throws `Damage`. */
export function* recordsOf(db: Database, section: string): Generator<SealedRecord> {
  const open: KeyedRows[] = [];
  try {
    for (const table of sections.get(section) ?? []) open.push(new KeyedRows(db, table));
    const hash = new RecordHash();
    for (;;) {
      let key: RecordKey | undefined;
      for (const rows of open)
        if (rows.key !== undefined && (key === undefined || rows.key < key)) key = rows.key;
      if (key === undefined) return;
      let table = '';
      let exchange: string | undefined;
      for (const rows of open)
        while (rows.key === key && rows.row !== undefined) {
          hash.row(rows.table, rows.row);
          if (table === '') table = rows.table;
          if (rows.table === 'exchanges') exchange = String(rows.row[1]);
          rows.advance();
        }
      yield { key, digest: hash.take(), exchange, table };
    }
  } finally {
    for (const rows of open) rows.close();
  }
}

type SchemaObject = readonly [type: string, name: string, table: string, sql: string | null];

/** What the file says of itself, and its schema with the comments in it. */
export function schemaRecords(db: Database): readonly SealedRecord[] {
  const hash = new RecordHash();
  const record = (key: string, row: readonly unknown[]): SealedRecord => {
    hash.row('file', row);
    return { key, digest: hash.take(), exchange: undefined, table: 'sqlite_schema' };
  };
  const ids = ['application_id', 'user_version', 'encoding'].map((name) => db.pragma(name, { simple: true }));
  const objects = db
    .prepare<[], SchemaObject>('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
    .raw()
    .all();
  return [record('header', ids), ...objects.map((object) => record(`${object[0]} ${object[1]}`, object))];
}
