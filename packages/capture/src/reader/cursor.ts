import type { Database } from 'better-sqlite3';

/** Rows that are sorted by exchange, taken exchange by exchange. One statement, however many exchanges. */
export class Cursor<Row extends readonly [number, ...unknown[]]> {
  readonly #rows: IterableIterator<Row>;
  #next: Row | undefined;

  constructor(db: Database, sql: string) {
    this.#rows = db.prepare<[], Row>(sql).raw().iterate();
    this.#advance();
  }

  /** The next row of that exchange; rows of exchanges that were passed over are skipped. */
  take(exchange: number): Row | undefined {
    while (this.#next !== undefined && this.#next[0] < exchange) this.#advance();
    const row = this.#next;
    if (row === undefined || row[0] !== exchange) return undefined;
    this.#advance();
    return row;
  }

  close(): void {
    this.#rows.return?.();
  }

  #advance(): void {
    const { value, done } = this.#rows.next();
    this.#next = done ? undefined : value;
  }
}
