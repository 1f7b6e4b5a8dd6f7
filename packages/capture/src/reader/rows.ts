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

/** Gives a check that a row of these columns of a table has what the schema says. It throws `Damage`. */
export function rowCheck(table: string, columns: readonly string[]): (row: RawRow) => void {
  const types = columnsOf(table);
  const checks = columns.map((column) => {
    const type = types.get(column);
    const is = type === undefined ? undefined : isOf[type.type];
    if (type === undefined || is === undefined)
      throw new Error(`the schema has no column ${table}.${column}`);
    return { column, type: type.type, required: type.required, is };
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
