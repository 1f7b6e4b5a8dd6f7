import { PlugfestError } from '@plugfest/model';
import type { Database } from 'better-sqlite3';
import { asFormatError, openFile } from '../reader/open-file.ts';

/** What names a sealed capture. */
export interface Seal {
  /** `sha256:…` over everything in the file. It is not the root that verdicts name, which is over the traffic. */
  readonly root: string;
  readonly records: number;
}

/** The seal of an open capture; undefined where it has none. */
export function readSeal(
  db: Database,
): (Seal & { readonly form: string; readonly links: number }) | undefined {
  if (Number(db.pragma('user_version', { simple: true })) < 2) return undefined;
  return db
    .prepare<[], Seal & { form: string; links: number }>(
      'SELECT root, form, links, records FROM seal LIMIT 1',
    )
    .get();
}

/** Refuses a capture that is sealed. */
export function requireUnsealed(db: Database, file: string): void {
  if (readSeal(db) === undefined) return;
  throw new PlugfestError('PLUGFEST_CAPTURE_SEALED', `${file} is sealed, so it stays as it is`, {
    hint: 'Choose another file. `plugfest seal --check` says whether it is still what was sealed.',
  });
}

/** Whether a capture says that it is sealed. Throws what `openCaptureSource` throws. */
export function isSealed(file: string): boolean {
  const { db, close } = openFile(file);
  try {
    return readSeal(db) !== undefined;
  } catch (error) {
    throw asFormatError(file, error);
  } finally {
    close();
  }
}
