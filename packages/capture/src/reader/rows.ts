import type { Database } from 'better-sqlite3';
import { columnsOf } from '../schema/schema.ts';
import { Damage } from './damage.ts';

/** A row as SQLite gives it: any column of a file from elsewhere may hold a value of any type. */
export type RawRow = readonly unknown[];

const isOf: Readonly<Record<string, (value: unknown) => boolean>> = {
  // Nanoseconds of traffic that is months apart are past what a number holds exactly.
  INTEGER: (value) => Number.isInteger(value),
  REAL: (value) => Number.isFinite(value),
  TEXT: (value) => typeof value === 'string',
  BLOB: (value) => value instanceof Uint8Array,
};

/**
 * Gives a check that a row of these columns of a table has what the schema says; of the `sized` ones the size. It throws
 * `Damage`.
 */
export function rowCheck(
  table: string,
  columns: readonly string[],
  sized: readonly string[] = [],
): (row: RawRow) => void {
  const types = columnsOf(table);
  const checks = columns.map((column) => {
    const type = types.get(column);
    const is = type === undefined ? undefined : isOf[type.type];
    if (type === undefined || is === undefined)
      throw new Error(`the schema has no column ${table}.${column}`);
    const held = sized.includes(column) ? (isOf.INTEGER ?? is) : is;
    return { column, type: type.type, required: type.required, is: held };
  });
  return (row) => {
    for (let i = 0; i < checks.length; i += 1) {
      const check = checks[i];
      const value = row[i];
      if (check === undefined || (value === null ? !check.required : check.is(value))) continue;
      throw new Damage(`${table}.${check.column} holds something that is no ${check.type.toLowerCase()}`);
    }
  };
}

/** Rows one after the other. */
export interface RowSource<Row> {
  next(): Row | undefined;
  close(): void;
}

/** What of a table is read, in which order. */
export interface Table {
  readonly name: string;
  /** The first one is the sequence number of an exchange. */
  readonly columns: readonly string[];
  readonly order: string;
}

/** Rows of exchanges behind a sequence number. Throws `Damage` where a row is not what the schema says. */
export class CheckedRows<Row extends RawRow> implements RowSource<Row> {
  readonly #rows: IterableIterator<RawRow>;
  readonly #check: (row: RawRow) => void;

  /** Of the columns in `sized`, `select` gives what is read instead of the value, which is its size. */
  constructor(
    db: Database,
    {
      name,
      columns,
      order,
      sized = [],
      select,
    }: Table & { readonly sized?: readonly string[]; readonly select?: (column: string) => string },
    after: number,
  ) {
    this.#check = rowCheck(name, columns, sized);
    const selected = columns.map((column) =>
      select !== undefined && sized.includes(column) ? select(column) : column,
    );
    this.#rows = db
      .prepare<[number], RawRow>(
        `SELECT ${selected.join(', ')} FROM ${name} WHERE ${columns[0]} > ? ORDER BY ${order}`,
      )
      .raw()
      .iterate(after);
  }

  next(): Row | undefined {
    const { value, done } = this.#rows.next();
    if (done) return undefined;
    this.#check(value);
    // Checked just now, column by column.
    return value as Row;
  }

  close(): void {
    this.#rows.return?.();
  }
}

/** Parses JSON of a column that holds an array of the items named. */
export function jsonList<Item>(json: string, where: string, isItem: (item: unknown) => boolean): Item[] {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch (cause) {
    throw new Damage(`${where} holds no JSON`, { cause });
  }
  if (!Array.isArray(list) || !list.every(isItem)) throw new Damage(`${where} holds no list of its kind`);
  return list as Item[];
}

export const isString = (item: unknown): boolean => typeof item === 'string';
