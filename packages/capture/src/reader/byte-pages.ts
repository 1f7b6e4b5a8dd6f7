import { Buffer } from 'node:buffer';
import type { Database, Statement } from 'better-sqlite3';
import { Damage } from './damage.ts';
import { CheckedRows, type RawRow, type RowSource, type Table } from './rows.ts';

/** Rows whose bytes are read together. */
const pageRows = 64;

/** Larger values are read one by one, so that a page stays small. */
const gatheredBytes = 64 * 1024;

/** The size of a value, or a text where it is no blob, for `CheckedRows` to refuse. */
const sizeOf = (column: string): string =>
  `CASE typeof(${column}) WHEN 'blob' THEN length(${column}) WHEN 'null' THEN NULL ELSE 'no blob' END`;

const gathered = (column: string): string =>
  `coalesce(CASE WHEN length(${column}) <= ${gatheredBytes} THEN ${column} END, x'')`;

/**
 * Rows with bytes in them. SQLite gives each value away as memory of its own, and making that and freeing it costs more
 * than all the rest of reading; so the bytes of a page of rows are read in one piece, and are slices of it. Whoever reads
 * a file that is written meanwhile has to hold a snapshot of it.
 */
export class BytePages<Row extends readonly unknown[]> implements RowSource<Row> {
  readonly #rows: CheckedRows<unknown[]>;
  readonly #page: Statement<[string], Buffer>;
  readonly #large: readonly Statement<[number], Buffer>[];
  /** Where the key stands in a row, and the columns with bytes. */
  readonly #key: number;
  readonly #places: readonly number[];
  #read: unknown[][] = [];
  #next = 0;

  /** `key`: the primary key, an integer. `bytes`: the columns with bytes. */
  constructor(
    db: Database,
    table: Table & { readonly key: string; readonly bytes: readonly string[] },
    after: number,
  ) {
    const { name, columns, key, bytes } = table;
    this.#rows = new CheckedRows(db, { ...table, sized: bytes, select: sizeOf }, after);
    this.#key = columns.indexOf(key);
    this.#places = bytes.map((column) => columns.indexOf(column));
    // The rows come in the order of the list, since the list is the outer loop of the join.
    this.#page = db
      .prepare<[string], Buffer>(
        `SELECT CAST(group_concat(${bytes.map((column) => gathered(`held.${column}`)).join(' || ')}, '') AS BLOB)
         FROM json_each(?) CROSS JOIN ${name} AS held ON held.${key} = json_each.value`,
      )
      .pluck();
    this.#large = bytes.map((column) =>
      db.prepare<[number], Buffer>(`SELECT ${column} FROM ${name} WHERE ${key} = ?`).pluck(),
    );
  }

  next(): Row | undefined {
    if (this.#next >= this.#read.length) {
      this.#read = this.#readPage();
      this.#next = 0;
    }
    const row = this.#read[this.#next];
    this.#next += 1;
    // Checked, and its sizes have become bytes.
    return row as Row | undefined;
  }

  close(): void {
    this.#rows.close();
  }

  #readPage(): unknown[][] {
    const rows: unknown[][] = [];
    let size = 0;
    while (rows.length < pageRows) {
      const row = this.#rows.next();
      if (row === undefined) break;
      rows.push(row);
      for (const place of this.#places) size += gatheredSize(row[place]);
    }
    const bytes = size === 0 ? Buffer.alloc(0) : this.#page.get(JSON.stringify(rows.map(this.#keyOf)));
    if (bytes?.byteLength !== size) throw new Damage('bodies are not what their rows say');
    let at = 0;
    for (const row of rows)
      for (let i = 0; i < this.#places.length; i += 1) {
        const place = this.#places[i] ?? 0;
        const length = row[place];
        if (typeof length !== 'number') continue;
        row[place] =
          length > gatheredBytes ? this.#readLarge(i, row, length) : bytes.subarray(at, at + length);
        at += gatheredSize(length);
      }
    return rows;
  }

  readonly #keyOf = (row: RawRow): unknown => row[this.#key];

  #readLarge(column: number, row: RawRow, length: number): Buffer {
    const bytes = this.#large[column]?.get(Number(row[this.#key]));
    if (bytes?.byteLength !== length) throw new Damage('a body is not what its row says');
    return bytes;
  }
}

const gatheredSize = (length: unknown): number =>
  typeof length === 'number' && length <= gatheredBytes ? length : 0;
