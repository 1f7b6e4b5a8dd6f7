import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Asks a capture by SQL, as somebody with a SQLite shell would: with another SQLite than Plugfest's own, and on a
 * copy, so that asking leaves the capture and its write-ahead log as they are.
 */
export function captureRows<Row>(capture: string, sql: string): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-e2e-sql-'));
  try {
    const copy = join(folder, 'capture.sqlite');
    copyFileSync(capture, copy);
    if (existsSync(`${capture}-wal`)) copyFileSync(`${capture}-wal`, `${copy}-wal`);
    const database = new DatabaseSync(copy);
    try {
      return database.prepare(sql).all() as Row[];
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
