import { readdirSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** `PRAGMA application_id` of a capture: the letters `PFCA`. */
export const applicationId = 0x50464341;

interface Migration {
  readonly version: number;
  readonly sql: string;
}

function loadMigrations(): readonly Migration[] {
  const folder = new URL('./migrations/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 3)), sql: readFileSync(new URL(name, folder), 'utf8') }));
}

const migrations = loadMigrations();

/** The schema version that this code writes, and the newest it reads (`PRAGMA user_version`). */
export const schemaVersion = migrations.at(-1)?.version ?? 0;

/** Brings an open capture to `schemaVersion`, in one transaction. A new file becomes a capture. */
export function migrate(db: Database.Database): void {
  db.transaction(() => {
    const from = db.pragma('user_version', { simple: true });
    for (const { version, sql } of migrations) if (version > Number(from)) db.exec(sql);
    db.pragma(`user_version = ${schemaVersion}`);
    db.pragma(`application_id = ${applicationId}`);
  }).immediate();
}

const objectsSql = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name';
type SchemaObject = readonly [type: string, name: string, table: string, sql: string | null];

/** Asks an empty capture of that schema version. */
function ask<Answer>(wanted: number, question: (db: Database.Database) => Answer): Answer {
  const db = new Database(':memory:');
  try {
    for (const { version, sql } of migrations) if (version <= wanted) db.exec(sql);
    return question(db);
  } finally {
    db.close();
  }
}

const expected = new Map<number, readonly SchemaObject[]>();

/** Everything that a capture of that schema version consists of. */
function objectsOf(wanted: number): readonly SchemaObject[] {
  const known = expected.get(wanted);
  if (known !== undefined) return known;
  const objects = ask(wanted, (db) => db.prepare<[], SchemaObject>(objectsSql).raw().all());
  expected.set(wanted, objects);
  return objects;
}

interface ColumnType {
  /** `INTEGER`, `REAL`, `TEXT` or `BLOB`. */
  readonly type: string;
  /** Whether it is never NULL. */
  readonly required: boolean;
}

let columns: ReadonlyMap<string, ReadonlyMap<string, ColumnType>> | undefined;

/** The columns of a table of the newest schema. */
export function columnsOf(table: string): ReadonlyMap<string, ColumnType> {
  columns ??= ask(schemaVersion, (db) => {
    const tables = new Map<string, Map<string, ColumnType>>();
    const rows = db.prepare<[], { table: string; name: string; type: string; required: number }>(
      `SELECT t.name AS "table", c.name, c.type, c."notnull" OR c.pk > 0 AS required
       FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
    );
    for (const { table: of, name, type, required } of rows.all()) {
      const known = tables.get(of) ?? new Map<string, ColumnType>();
      tables.set(of, known.set(name, { type, required: required === 1 }));
    }
    return tables;
  });
  return columns.get(table) ?? new Map();
}

/**
 * SQL without the comments at the ends of its lines: what a column means may be told in other words later, and the
 * captures that were made before stay ours. None of our literals spans lines, so that whatever stands before the end
 * of one of our lines is code, and what is left out behind it is none.
 */
const withoutComments = (sql: string): string =>
  sql
    .split('\n')
    .map((line) => line.split('--', 1)[0]?.trimEnd())
    .filter((line) => line !== '')
    .join('\n');

/**
 * Compares the schema of a file with what our own migrations make, word by word but for comments; undefined where it is the same. SQL
 * that comes with a file is code of whoever made the file: a view in place of a table may never end, a trigger writes
 * what it likes. To be asked before anything is read from a table.
 */
export function foreignSchema(db: Database.Database): string | undefined {
  const wanted = objectsOf(Number(db.pragma('user_version', { simple: true })));
  const found = db.prepare<[], SchemaObject>(objectsSql).raw().all();
  const key = ([type, name, table, sql]: SchemaObject): string =>
    JSON.stringify([type, name, table, sql === null ? null : withoutComments(sql)]);
  const ours = new Set(wanted.map(key));
  const foreign = found.find((object) => !ours.has(key(object)));
  if (foreign !== undefined) return `the ${foreign[0]} ${foreign[1]} is not as Plugfest makes it`;
  const there = new Set(found.map(key));
  const missing = wanted.find((object) => !there.has(key(object)));
  return missing === undefined ? undefined : `the ${missing[0]} ${missing[1]} is missing`;
}

/** Versions before 3.51.3 can lose commits when a checkpoint meets a writer (the WAL-reset bug). */
const oldestSqlite = [3, 51, 3] as const;

/** Throws where the SQLite that is linked in is too old to be trusted with evidence. */
export function assertSqliteVersion(db: Database.Database): string {
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get());
  const parts = version.split('.').map(Number);
  for (const [i, wanted] of oldestSqlite.entries()) {
    const part = parts[i] ?? 0;
    if (part > wanted) break;
    if (part < wanted)
      throw new Error(`SQLite ${version} is linked in; at least ${oldestSqlite.join('.')} is needed`);
  }
  return version;
}
