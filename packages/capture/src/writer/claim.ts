import { randomUUID } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { PlugfestError } from '@plugfest/model';
import Database from 'better-sqlite3';
import { messageOf, sqliteCode } from '../sqlite-errors.ts';

/** Who has a claim, and since when (ISO 8601). */
export interface Claimant {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** A claim that lasts until it is given back, or its process ends in whatever way. */
export interface Claim {
  /** Gives it back, and removes the file. */
  release(): void;
}

/** For whoever was faster to write down who it is. */
const patienceMs = 300;
const pauseMs = 10;

/**
 * Claims what a file stands for, for this process alone. The claim is a lock of the operating system on a small SQLite
 * file: it is taken at once by one of those who ask at the same time, and what a killed process leaves behind is only
 * the file, which hinders nobody.
 *
 * `taken` makes the error where another process has it. @throws PlugfestError PLUGFEST_OUTPUT where the file cannot be
 * made, or is none of ours.
 */
export function claim(file: string, taken: (by: Claimant | undefined) => PlugfestError): Claim {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw unusable(file, 'it is not a file');
  const token = randomUUID();
  let by: Claimant | undefined;
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += pauseMs) {
    const taking = take(file, token);
    if ('release' in taking) return taking;
    by = taking.by ?? by;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  throw taken(by);
}

function take(file: string, token: string): Claim | { readonly by: Claimant | undefined } {
  let db: Database.Database | undefined;
  let mine = false;
  try {
    db = new Database(file, { timeout: 0 });
    const opened = db;
    opened.pragma('trusted_schema = OFF');
    // Nothing in it has to outlive the machine, and a run should not wait for the disk.
    opened.pragma('synchronous = OFF');
    opened.exec('BEGIN IMMEDIATE');
    opened.exec('CREATE TABLE IF NOT EXISTS claimant (token TEXT, pid INTEGER, host TEXT, since TEXT)');
    opened.exec('DELETE FROM claimant');
    opened
      .prepare('INSERT INTO claimant VALUES (?, ?, ?, ?)')
      .run(token, process.pid, hostname(), new Date().toISOString());
    // Others see who it is only after a commit, so the lock is taken once more, to be kept.
    opened.exec('COMMIT; BEGIN IMMEDIATE');
    // Somebody may have been between the two, or have removed the file that was opened here.
    mine = tokenIn(opened) === token && tokenAt(file) === token;
    if (!mine) return { by: undefined };
    return {
      release: () => {
        if (!opened.open) return;
        for (const suffix of ['', '-journal']) rmSync(file + suffix, { force: true });
        opened.close();
      },
    };
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    if (code.startsWith('SQLITE_BUSY')) return { by: db && claimantIn(db) };
    throw unusable(file, messageOf(error), error);
  } finally {
    if (!mine) db?.close();
  }
}

const tokenIn = (db: Database.Database): unknown => db.prepare('SELECT token FROM claimant').pluck().get();

/** The token in the file that the path leads to now. */
function tokenAt(file: string): unknown {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true, readonly: true, timeout: 0 });
    return tokenIn(db);
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return undefined;
  } finally {
    db?.close();
  }
}

/** Who has it; undefined at the moment in which that is being written. */
function claimantIn(db: Database.Database): Claimant | undefined {
  try {
    return db.prepare<[], Claimant>('SELECT pid, host, since FROM claimant').get();
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return undefined;
  }
}

const unusable = (file: string, why: string, cause?: unknown): PlugfestError =>
  new PlugfestError('PLUGFEST_OUTPUT', `${file} cannot be used to claim the folder (${why})`, {
    hint: 'Choose another folder, or remove this file yourself.',
    cause,
  });
