import type { RowSource } from './rows.ts';

/** Rows that belong to exchanges, taken exchange by exchange: one statement, however many exchanges. */
export class Cursor<Row extends readonly [exchange: number, ...unknown[]]> {
  readonly #rows: RowSource<Row>;
  #next: Row | undefined;

  /** The first column is the exchange, and rows come in the order of it. */
  constructor(rows: RowSource<Row>) {
    this.#rows = rows;
    this.#next = rows.next();
  }

  /** The next row of that exchange; rows of exchanges that were passed over are skipped. */
  take(exchange: number): Row | undefined {
    while (this.#next !== undefined && this.#next[0] < exchange) this.#next = this.#rows.next();
    const row = this.#next;
    if (row === undefined || row[0] !== exchange) return undefined;
    this.#next = this.#rows.next();
    return row;
  }
}
