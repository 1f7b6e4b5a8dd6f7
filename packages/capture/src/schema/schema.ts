import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';

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
export function migrate(db: Database): void {
  db.transaction(() => {
    const from = db.pragma('user_version', { simple: true });
    for (const { version, sql } of migrations) if (version > Number(from)) db.exec(sql);
    db.pragma(`user_version = ${schemaVersion}`);
    db.pragma(`application_id = ${applicationId}`);
  }).immediate();
}

/** Versions before 3.51.3 can lose commits when a checkpoint meets a writer (the WAL-reset bug). */
const oldestSqlite = [3, 51, 3] as const;

/** Throws where the SQLite that is linked in is too old to be trusted with evidence. */
export function assertSqliteVersion(db: Database): string {
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
