import type { Database, Statement } from 'better-sqlite3';
import {
  column,
  type ExchangeRow,
  exchangeColumns,
  laterValues,
  type SqlValue,
  selectExchange,
} from '../schema/exchange-row.ts';
import { sqliteCode } from '../sqlite-errors.ts';
import { takenId } from './intake.ts';
import { LogMover } from './log-mover.ts';
import { type Row, type RowKind, statements } from './rows.ts';

/** So much is added to the write-ahead log before it is moved into the file, even while traffic flows. */
const moveEveryBytes = 16 * 1024 * 1024;

/** Above this size the log begins anew, which takes the disk's time, if little. */
const logLimitBytes = 64 * 1024 * 1024;

/** Above this one, traffic is faster than the disk: what is recorded waits for it. */
const logMostBytes = 2 * logLimitBytes;

/** What a transaction adds at least, about: the page that it begins on and those of the tables' roots, again. */
const leastTransactionBytes = 3 * 16 * 1024;

/** How long each batch waits then. */
const moverPatienceMs = 1000;

/**
 * The one connection that writes a capture. It holds the write lock all the time, so that a second writer is refused
 * by SQLite itself, also from another container; readers are not hindered (WAL).
 */
export class Store {
  readonly #db: Database;
  readonly #statements: Readonly<Record<RowKind, Statement<unknown[]>>>;
  readonly #select: Statement<[string], SqlValue[]>;
  readonly #mover: LogMover;
  /** Bytes in the log, about. */
  #logBytes = 0;
  /** Of them, those that came since the last time that the log was moved. */
  #newBytes = 0;
  /** The log is being moved, or has been, and what came meanwhile was not looked at. */
  #asked = false;

  constructor(db: Database, options: { readonly durable: boolean }) {
    this.#db = db;
    this.#mover = new LogMover(db.name);
    db.pragma('busy_timeout = 5000');
    db.pragma('wal_autocheckpoint = 0');
    db.pragma(`journal_size_limit = ${logMostBytes}`);
    db.pragma(`synchronous = ${options.durable ? 'FULL' : 'NORMAL'}`);
    const prepared: Partial<Record<RowKind, Statement<unknown[]>>> = {};
    for (const kind of Object.keys(statements) as RowKind[]) prepared[kind] = db.prepare(statements[kind]);
    this.#statements = prepared as Record<RowKind, Statement<unknown[]>>;
    this.#select = db.prepare<[string], SqlValue[]>(selectExchange).raw();
    db.exec('BEGIN IMMEDIATE');
  }

  /** Writes all rows or none. Throws SQLite's error; the store stays usable. */
  commit(rows: readonly Row[]): void {
    let bytes = leastTransactionBytes + rows.length * 300;
    try {
      if (!this.#db.inTransaction) this.#db.exec('BEGIN IMMEDIATE');
      for (const [kind, values] of rows) {
        // Spread, as values cost the binding less one by one than out of an array.
        const { changes } = this.#statements[kind].run(
          ...(kind === 'exchangeLater' ? laterValues(values) : values),
        );
        if (kind === 'exchange' && changes === 0) this.#noteDuplicate(values);
        for (const at of payloadAt[kind] ?? []) bytes += sizeOf(values[at]);
      }
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
    this.#logBytes += bytes;
    this.#newBytes += bytes;
    this.#moveLog();
    if (!this.#db.inTransaction) this.#db.exec('BEGIN IMMEDIATE');
  }

  /** For when nothing is to be written: leaves a log that begins anew. False while it is being moved. */
  tidy(): boolean {
    if (this.#logBytes === 0) return true;
    if (!this.#asked) this.#askMover();
    if (this.#mover.moving) return false;
    this.#beginAnew();
    this.#db.exec('BEGIN IMMEDIATE');
    return true;
  }

  /**
   * A log begins anew only once all of it is in the file, and that needs a moment without commits. So most of it is
   * moved beside the traffic, and what came during the last of that is moved here.
   */
  #moveLog(): void {
    if (this.#logBytes > logMostBytes) {
      this.#mover.wait(moverPatienceMs);
      this.#beginAnew();
    } else if (this.#asked) {
      if (this.#mover.moving) return;
      this.#asked = false;
      if (this.#logBytes > logLimitBytes) this.#beginAnew();
    } else if (this.#newBytes > moveEveryBytes) this.#askMover();
  }

  #askMover(): void {
    this.#mover.begin();
    this.#asked = true;
    this.#newBytes = 0;
  }

  #beginAnew(): void {
    this.#asked = false;
    if (this.#db.inTransaction) this.#db.exec('COMMIT');
    try {
      const [{ busy } = { busy: 0 }] = this.#db.pragma('wal_checkpoint(PASSIVE)') as {
        readonly busy: number;
      }[];
      // Somebody else is moving it.
      if (busy !== 0) return;
    } catch (error) {
      // The log has everything; the next commit meets the same obstacle, and tells what it cannot store.
      if (sqliteCode(error) === undefined) throw error;
    }
    this.#logBytes = 0;
    this.#newBytes = 0;
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
    this.#mover.end();
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
