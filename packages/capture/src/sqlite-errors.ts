import Database from 'better-sqlite3';

const { SqliteError } = Database;

/** The result code of a SQLite error, such as `SQLITE_FULL`; undefined for any other error. */
export const sqliteCode = (error: unknown): string | undefined =>
  error instanceof SqliteError ? error.code : undefined;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
