import type { Database, Statement } from 'better-sqlite3';
import { type Row, type RowKind, statements } from './rows.ts';

/** Above this size the write-ahead log is checkpointed even while traffic flows. */
const walLimitBytes = 64 * 1024 * 1024;

/**
 * The one connection that writes a capture. It holds the write lock all the time, so that a second writer is refused
 * by SQLite itself, also from another container; readers are not hindered (WAL).
 */
export class Store {
  readonly #db: Database;
  readonly #statements: Readonly<Record<RowKind, Statement<unknown[]>>>;
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
    db.exec('BEGIN IMMEDIATE');
  }

  /** Writes all rows or none. Throws SQLite's error; the store stays usable. */
  commit(rows: readonly Row[]): void {
    try {
      if (!this.#db.inTransaction) this.#db.exec('BEGIN IMMEDIATE');
      for (const [kind, values] of rows) {
        const { changes } = this.#statements[kind].run(values);
        if (changes === 0 && kind === 'exchange') this.#noteDuplicate(values);
        if (kind === 'blob' || kind === 'chunk') this.#uncheckpointedBytes += sizeOf(values);
      }
      this.#uncheckpointedBytes += rows.length * 200;
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

  /** Row key of an exchange that is no longer in memory. */
  seqOf(exchange: string): number | undefined {
    const seq = this.#db.prepare('SELECT seq FROM exchanges WHERE id = ?').pluck().get(exchange);
    return typeof seq === 'number' ? seq : undefined;
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
    const text = `request head ignored: the id ${String(id)} is taken by an earlier exchange`;
    this.#statements.note.run([seq, atNs, 'capture', text, id, null]);
  }
}

const sizeOf = (values: Row[1]): number =>
  values.reduce<number>((sum, value) => (value instanceof Uint8Array ? sum + value.byteLength : sum), 0);
