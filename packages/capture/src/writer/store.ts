import type { Database, Statement } from 'better-sqlite3';
import {
  column,
  type ExchangeRow,
  exchangeColumns,
  laterValues,
  type SqlValue,
  selectExchange,
} from '../schema/exchange-row.ts';
import { takenId } from './intake.ts';
import { type Row, type RowKind, statements } from './rows.ts';

/**
 * Above this size the write-ahead log is checkpointed even while traffic flows. That waits for the disk, and what is
 * recorded meanwhile waits with it.
 */
const walLimitBytes = 16 * 1024 * 1024;

/**
 * The one connection that writes a capture. It holds the write lock all the time, so that a second writer is refused
 * by SQLite itself, also from another container; readers are not hindered (WAL).
 */
export class Store {
  readonly #db: Database;
  readonly #statements: Readonly<Record<RowKind, Statement<unknown[]>>>;
  readonly #select: Statement<[string], SqlValue[]>;
  #uncheckpointedBytes = 0;

  constructor(db: Database, options: { readonly durable: boolean }) {
    this.#db = db;
    db.pragma('busy_timeout = 5000');
    db.pragma('wal_autocheckpoint = 0');
    db.pragma(`journal_size_limit = ${walLimitBytes}`);
    db.pragma(`synchronous = ${options.durable ? 'FULL' : 'NORMAL'}`);
    const prepared: Partial<Record<RowKind, Statement<unknown[]>>> = {};
    for (const kind of Object.keys(statements) as RowKind[]) prepared[kind] = db.prepare(statements[kind]);
    this.#statements = prepared as Record<RowKind, Statement<unknown[]>>;
    this.#select = db.prepare<[string], SqlValue[]>(selectExchange).raw();
    db.exec('BEGIN IMMEDIATE');
  }

  /** Writes all rows or none. Throws SQLite's error; the store stays usable. */
  commit(rows: readonly Row[]): void {
    try {
      if (!this.#db.inTransaction) this.#db.exec('BEGIN IMMEDIATE');
      for (const [kind, values] of rows) {
        // Spread, as values cost the binding less one by one than out of an array.
        const { changes } = this.#statements[kind].run(
          ...(kind === 'exchangeLater' ? laterValues(values) : values),
        );
        if (kind === 'exchange' && changes === 0) this.#noteDuplicate(values);
        for (const at of payloadAt[kind] ?? []) this.#uncheckpointedBytes += sizeOf(values[at]);
      }
      this.#uncheckpointedBytes += rows.length * 300;
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
    if (this.#uncheckpointedBytes > walLimitBytes) this.checkpoint();
    else this.#db.exec('BEGIN IMMEDIATE');
  }

  /** Moves the write-ahead log into the file as far as readers allow, without waiting for them. */
  checkpoint(): void {
    if (this.#uncheckpointedBytes > 0) {
      if (this.#db.inTransaction) this.#db.exec('COMMIT');
      this.#db.pragma('wal_checkpoint(PASSIVE)');
      this.#uncheckpointedBytes = 0;
    }
    if (!this.#db.inTransaction) this.#db.exec('BEGIN IMMEDIATE');
  }

  /** Row of an exchange that is no longer in memory; of the bodies in it, nothing. */
  rowOf(exchange: string): ExchangeRow | undefined {
    const row = this.#select.get(exchange);
    if (row === undefined) return undefined;
    while (row.length < exchangeColumns.length) row.push(null);
    return row;
  }

  /** Largest ids of the lists in the file. */
  lastLists(): { readonly headers: number; readonly changes: number } {
    const last = (table: string): number =>
      Number(this.#db.prepare(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get());
    return { headers: last('header_lists'), changes: last('change_lists') };
  }

  /** Leaves one plain file behind: no write-ahead log, readable from a read-only folder. */
  close(): void {
    if (this.#db.inTransaction) this.#db.exec('COMMIT');
    try {
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
      this.#db.pragma('busy_timeout = 200');
      this.#db.pragma('journal_mode = DELETE');
    } catch (error) {
      // A reader is still looking: the file stays in WAL mode, complete all the same.
      if (!String(error).includes('locked')) throw error;
    } finally {
      this.#db.close();
    }
  }

  #noteDuplicate([seq = null, id = null, atNs = null]: Row[1]): void {
    this.#statements.note.run(seq, atNs, 'capture', takenId(String(id)), id, null);
  }
}

/** Where bytes stand among the values of a row. */
const payloadAt: { readonly [Kind in RowKind]?: readonly number[] } = {
  exchange: [column.requestBody + 3, column.responseBody + 3],
  exchangeLater: [column.responseBody + 3],
  chunk: [6],
  blob: [1],
};

const sizeOf = (value: SqlValue | undefined): number => (value instanceof Uint8Array ? value.byteLength : 0);
