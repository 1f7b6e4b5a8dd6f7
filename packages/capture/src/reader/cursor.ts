import type { Database } from 'better-sqlite3';
import { type RawRow, rowCheck } from './rows.ts';

/**
 * Rows that belong to exchanges, taken exchange by exchange: one statement, however many exchanges. Throws `Damage`
 * where a row is not what the schema says.
 */
export class Cursor<Row extends readonly [number, ...unknown[]]> {
  readonly #rows: IterableIterator<RawRow>;
  readonly #check: (row: RawRow) => void;
  #next: Row | undefined;

  /** The first column is the exchange; rows of those behind `after` come in the order of the columns `order`. */
  constructor(db: Database, table: string, columns: readonly string[], order: string, after: number) {
    this.#check = rowCheck(table, columns);
    this.#rows = db
      .prepare<[number], RawRow>(
        `SELECT ${columns.join(', ')} FROM ${table} WHERE ${columns[0]} > ? ORDER BY ${order}`,
      )
      .raw()
      .iterate(after);
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
    if (done) {
      this.#next = undefined;
      return;
    }
    try {
      this.#check(value);
    } catch (damage) {
      // Nobody has this cursor yet where its first row is the damaged one.
      this.close();
      throw damage;
    }
    // Checked just now, column by column.
    this.#next = value as unknown as Row;
  }
}
