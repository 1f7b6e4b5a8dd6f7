/** The thread that moves the write-ahead log into the file, as far as it is when it looks. Started by `LogMover`. */
import { statSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { type MoverData, moverState } from './log-mover-state.ts';

/** So few pages are left to the writing thread, which has to move the last ones for the log to begin anew. */
const fewPages = 64;
/** Where traffic is as fast as the disk, what is left becomes no less. */
const mostRounds = 4;

const { file, dev, ino, state: shared } = workerData as MoverData;
const state = new Int32Array(shared);

function open(): Database.Database | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (found?.dev !== dev || found.ino !== ino) return undefined;
  const db = new Database(file, { fileMustExist: true });
  db.pragma('trusted_schema = OFF');
  return db;
}

interface Moved {
  readonly busy: number;
  readonly log: number;
  readonly checkpointed: number;
}

function move(db: Database.Database): void {
  let before = 0;
  for (let round = 0; round < mostRounds; round += 1) {
    const [moved] = db.pragma('wal_checkpoint(PASSIVE)') as Moved[];
    if (moved === undefined || moved.busy !== 0 || moved.checkpointed < moved.log) return;
    if (moved.log - before < fewPages) return;
    before = moved.log;
  }
}

let db: Database.Database | undefined;
for (;;) {
  Atomics.wait(state, 0, moverState.idle);
  const ending = Atomics.load(state, 0) === moverState.ending;
  try {
    if (ending) db?.close();
    else {
      db ??= open();
      if (db !== undefined) move(db);
    }
  } catch {
    // The writing thread meets the same obstacle, and says so.
  }
  const [from, to] = ending ? [moverState.ending, moverState.ended] : [moverState.asked, moverState.idle];
  Atomics.compareExchange(state, 0, from, to);
  Atomics.notify(state, 0);
  if (ending) break;
}
