import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, isPlugfestError, PlugfestError, type RunId } from '@plugfest/model';
import Database from 'better-sqlite3';
import { openFile } from '../reader/open-file.ts';
import { assertSqliteVersion, migrate } from '../schema/schema.ts';
import { requireUnsealed } from '../seal/state.ts';
import { messageOf, sqliteCode } from '../sqlite-errors.ts';
import { discard, isThere, requireFree } from './files.ts';
import { isAlive, isOwn, ownIdentity } from './identity.ts';

/** What to do about a capture that is already there. */
export type Existing = 'refuse' | 'replace' | 'continue';

export interface Session {
  readonly runSeq: number;
  /** Key of the session's first row in `clock`. */
  readonly anchorSeq: number;
  /** `at_ns` of the moment at which the session began; 0 in a new file. */
  readonly startNs: number;
}

interface SessionStart {
  readonly file: string;
  readonly run: RunId;
  readonly existing: Existing;
  readonly unsafeRaw: boolean;
  readonly wallMs: number;
}

/** Makes or opens the file and enters the session. Everything that can go wrong at the start goes wrong here. */
export function prepare(start: SessionStart): Session {
  const { file, existing } = start;
  if (existing === 'refuse') requireFree(file);
  const continues = existing === 'continue' && existsSync(file);
  if (continues) requireIdle(file);
  // Its log alone is what is left of a capture: nothing to continue, and nothing to write over.
  else if (existing === 'continue') requireFree(file);
  else if (existing === 'replace') {
    requireReplaceable(file);
    discard(file);
  }
  if (!continues) create(file);
  try {
    const db = new Database(file, { fileMustExist: true });
    try {
      return enter(db, start, continues);
    } finally {
      db.close();
    }
  } catch (error) {
    if (!continues) discard(file);
    if (sqliteCode(error) === undefined) throw error;
    throw new PlugfestError('PLUGFEST_OUTPUT', `${file} cannot be made a capture (${messageOf(error)})`, {
      hint: 'Check that the disk has room and is not a network file system.',
      cause: error,
    });
  }
}

/** An empty file that only its owner can read: a capture may hold what somebody would rather keep. */
function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const hint = existsSync(dirname(file))
      ? 'Check the permissions of the folder.'
      : `Make the folder ${dirname(file)} first.`;
    throw new PlugfestError('PLUGFEST_OUTPUT', `${file} cannot be created (${messageOf(error)})`, {
      hint,
      cause: error,
    });
  }
}

/** What a capture of ours is refused for. */
const isAboutOurs: ReadonlySet<ErrorCode> = new Set(['PLUGFEST_CAPTURE_VERSION', 'PLUGFEST_CAPTURE_SEALED']);

/**
 * Refuses a file that is no capture of ours (`PLUGFEST_OUTPUT`), that somebody is writing (`PLUGFEST_CAPTURE_BUSY`), or
 * that is sealed (`PLUGFEST_CAPTURE_SEALED`).
 * A file that is not ours is not touched, nor is its log. `closed`: this process has closed its recorder of that file,
 * which may have had no room to say so in it.
 */
export function requireIdle(file: string, { closed = false }: { readonly closed?: boolean } = {}): void {
  try {
    const { db, close } = openFile(file);
    try {
      requireUnsealed(db, file);
    } finally {
      close();
    }
  } catch (cause) {
    if (!isPlugfestError(cause) || isAboutOurs.has(cause.code)) throw cause;
    const hint = `Choose another file, or remove this one yourself. (${cause.message})`;
    throw new PlugfestError('PLUGFEST_OUTPUT', `${file} is not a Plugfest capture, so it is left alone`, {
      hint,
      cause,
    });
  }
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true, timeout: 0 });
    db.pragma('trusted_schema = OFF');
    const writers = db.prepare<[], string>('SELECT writer FROM runs WHERE ended_ns IS NULL').pluck().all();
    if (writers.some((writer) => isAlive(writer) && !(closed && isOwn(writer)))) throw busy(file);
    // A writer that the process table does not show, in another container say, holds the write lock.
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    if (code.startsWith('SQLITE_BUSY')) throw busy(file);
    throw new PlugfestError('PLUGFEST_OUTPUT', `${file} is not a usable capture (${messageOf(error)})`, {
      hint: 'Choose another file, or remove this one yourself.',
      cause: error,
    });
  } finally {
    db?.close();
  }
}

/** `requireIdle` for a path where there may be no capture, or only what is left of one. */
export function requireReplaceable(file: string): void {
  if (isThere(file)) requireIdle(file);
}

const busy = (file: string): PlugfestError =>
  new PlugfestError('PLUGFEST_CAPTURE_BUSY', `${file} is being written by another process`, {
    hint: 'Wait until it ends, or record to another file.',
  });

/** Largest sequence number in the file and the time of it. */
export function lastRecord(db: Database.Database): { readonly seq: number; readonly atNs: number } {
  const sources = [
    'SELECT seq, coalesce(ended_ns, 0) AS at_ns FROM runs',
    ...['clock', 'participants', 'edges', 'connections', 'informational', 'body_chunks', 'trailers'].map(
      (table) => `SELECT seq, at_ns FROM ${table}`,
    ),
    ...['further_changes', 'gaps', 'notes'].map((table) => `SELECT seq, at_ns FROM ${table}`),
    `SELECT max(seq, ifnull(request_body_seq, 0), ifnull(response_seq, 0), ifnull(response_body_seq, 0), ifnull(end_seq, 0)) AS seq,
            max(at_ns, ifnull(request_ended_ns, 0), ifnull(response_ns, 0), ifnull(response_ended_ns, 0), ifnull(end_ns, 0)) AS at_ns
     FROM exchanges`,
  ];
  let seq = 0;
  let atNs = 0;
  for (const source of sources) {
    const row = db
      .prepare<[], { seq: number | null; at: number | null }>(
        `SELECT max(seq) AS seq, max(at_ns) AS at FROM (${source})`,
      )
      .get();
    seq = Math.max(seq, row?.seq ?? 0);
    atNs = Math.max(atNs, row?.at ?? 0);
  }
  return { seq, atNs };
}

function enter(db: Database.Database, { run, unsafeRaw, wallMs }: SessionStart, continues: boolean): Session {
  const sqlite = assertSqliteVersion(db);
  db.pragma('trusted_schema = OFF');
  if (!continues) db.pragma('page_size = 16384');
  db.pragma('journal_mode = WAL');
  migrate(db);
  return db
    .transaction((): Session => {
      const last = continues ? lastRecord(db) : { seq: 0, atNs: 0 };
      let { seq } = last;
      const first = continues
        ? db
            .prepare<[], { at: number; wall: number }>(
              'SELECT at_ns AS at, wall_ms AS wall FROM clock ORDER BY seq',
            )
            .get()
        : undefined;
      if (endKilledSessions(db)) seq += 1;
      const runSeq = seq + 1;
      const recorder = JSON.stringify({ node: process.versions.node, sqlite });
      db.prepare('INSERT INTO runs (id, seq, redaction, recorder, writer) VALUES (?, ?, ?, ?, ?)').run(
        run,
        runSeq,
        unsafeRaw ? 'off' : 'on',
        recorder,
        JSON.stringify(ownIdentity()),
      );
      const anchorSeq = runSeq + 1;
      const elapsedNs = first === undefined ? 0 : Math.round((wallMs - first.wall) * 1e6) + first.at;
      const startNs = Math.max(last.atNs, elapsedNs);
      db.prepare('INSERT INTO clock (seq, at_ns, wall_ms) VALUES (?, ?, ?)').run(anchorSeq, startNs, wallMs);
      return { runSeq, anchorSeq, startNs };
    })
    .immediate();
}

/** Makes a record of the gap that readers derive where a recorder was killed; false where none was. */
export function endKilledSessions(db: Database.Database): boolean {
  const open = db.prepare<[], number>('SELECT count(*) FROM runs WHERE ended_ns IS NULL').pluck().get() ?? 0;
  if (open === 0) return false;
  const last = lastRecord(db);
  db.prepare('INSERT INTO gaps (seq, at_ns, reason, detail) VALUES (?, ?, ?, ?)').run(
    last.seq + 1,
    last.atNs,
    uncleanGap.reason,
    uncleanGap.detail,
  );
  db.prepare('UPDATE runs SET ended_ns = ? WHERE ended_ns IS NULL').run(last.atNs);
  return true;
}

/** What stands where a recorder was killed. Derived by readers, stored by the next writer: the same both times. */
export const uncleanGap = {
  reason: 'unclean-shutdown',
  detail: 'the recorder ended without closing the capture; what it had not yet stored is missing',
} as const;
