import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PlugfestError } from '@plugfest/model';
import Database from 'better-sqlite3';
import { applicationId, foreignSchema, schemaVersion } from '../schema/schema.ts';
import { messageOf, sqliteCode } from '../sqlite-errors.ts';
import { Damage } from './damage.ts';

export interface OpenFile {
  readonly db: Database.Database;
  close(): void;
}

const formatHint = 'Give a capture.sqlite that `plugfest run`, `proxy` or `import` has written.';

const formatError = (file: string, what: string, cause?: unknown): PlugfestError =>
  new PlugfestError('PLUGFEST_CAPTURE_FORMAT', `${file} is no usable capture: ${what}`, {
    hint: formatHint,
    ...(cause === undefined ? {} : { cause }),
  });

/** Turns SQLite's complaints about the file, and `Damage`, into our error; lets everything else through. */
export function asFormatError(file: string, error: unknown): unknown {
  if (error instanceof Damage) return formatError(file, error.message, error);
  const code = sqliteCode(error);
  if (code === undefined) return error;
  return formatError(file, code === 'SQLITE_NOTADB' ? 'not a SQLite file' : messageOf(error), error);
}

/**
 * Opens a capture for reading and leaves it as it is: no byte changes, and no file appears beside it. A capture
 * that was closed is read in place; so is one whose recorder lives or was killed, together with its `-wal`. Where
 * SQLite would have to create files for that, a copy in the temporary folder is read instead.
 */
export function openFile(file: string): OpenFile {
  let sizeBytes: number;
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new Error('not a file');
    sizeBytes = stat.size;
  } catch (cause) {
    throw new PlugfestError('PLUGFEST_CAPTURE_NOT_FOUND', `${file} cannot be read (${messageOf(cause)})`, {
      hint: 'Check the path.',
      cause,
    });
  }
  const log = existsSync(`${file}-wal`);
  if (log && existsSync(`${file}-shm`)) {
    try {
      return inPlace(file);
    } catch (error) {
      // The folder is read-only, and the index of the log is stale.
      if (!isReadOnlyTrouble(error)) throw error;
      return aside(file);
    }
  }
  // Nobody has it open, so its header may be read directly. (Closing a descriptor of a file that this process also
  // has open through SQLite would drop SQLite's locks.)
  const walMode = checkHeader(file, sizeBytes, log);
  return walMode ? aside(file) : inPlace(file);
}

/** Opens a capture that a recorder has open; undefined where none has, or not yet. */
export function openRecordedFile(file: string): OpenFile | undefined {
  return existsSync(`${file}-wal`) && existsSync(`${file}-shm`) ? inPlace(file) : undefined;
}

/** Refuses what is not SQLite or shorter than it says; true where the file asks for a write-ahead log. */
function checkHeader(file: string, sizeBytes: number, log: boolean): boolean {
  const header = Buffer.alloc(100);
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (cause) {
    throw new PlugfestError('PLUGFEST_CAPTURE_NOT_FOUND', `${file} cannot be read (${messageOf(cause)})`, {
      hint: 'Check the permissions.',
      cause,
    });
  }
  try {
    readSync(descriptor, header, 0, 100, 0);
  } finally {
    closeSync(descriptor);
  }
  if (sizeBytes === 0 && !log) throw formatError(file, 'it is empty');
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw formatError(file, 'not a SQLite file');
  // With a log, the header may be older than what the log holds.
  if (!log && header.readUInt32BE(68) !== applicationId)
    throw formatError(file, 'a SQLite file, but not of Plugfest');
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  if (!log && sizeBytes < pageSize * pages)
    throw formatError(file, `truncated, ${sizeBytes} of ${pageSize * pages} bytes are there`);
  return header.readUInt8(18) === 2 || header.readUInt8(19) === 2;
}

const isReadOnlyTrouble = (error: unknown): boolean =>
  /^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(error instanceof PlugfestError ? error.cause : error) ?? '');

function inPlace(file: string): OpenFile {
  const db = connect(file, file, { readonly: true });
  return { db, close: () => db.close() };
}

function aside(file: string): OpenFile {
  const folder = mkdtempSync(join(tmpdir(), 'plugfest-'));
  const discard = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    const db = connect(copy, file, {});
    return {
      db,
      close: () => {
        db.close();
        discard();
      },
    };
  } catch (error) {
    discard();
    throw error;
  }
}

function connect(path: string, file: string, options: Database.Options): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { ...options, fileMustExist: true });
    db.pragma('query_only = ON');
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    const application = db.pragma('application_id', { simple: true });
    const version = Number(db.pragma('user_version', { simple: true }));
    if (application !== applicationId) throw formatError(file, 'a SQLite file, but not of Plugfest');
    if (version > schemaVersion)
      throw new PlugfestError(
        'PLUGFEST_CAPTURE_VERSION',
        `${file} has schema version ${version}; this Plugfest reads up to ${schemaVersion}`,
        { hint: 'Update Plugfest.' },
      );
    if (version < 1) throw formatError(file, 'it has no schema version');
    const foreign = foreignSchema(db);
    if (foreign !== undefined) throw formatError(file, foreign);
    return db;
  } catch (error) {
    db?.close();
    throw asFormatError(file, error);
  }
}
