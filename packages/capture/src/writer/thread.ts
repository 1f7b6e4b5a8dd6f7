/** The writing thread: the only one that touches the file. Started by `openCapture`. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Edge, EdgeKind, InterpositionMode } from '@plugfest/model';
import { edgeId } from '@plugfest/model';
import Database from 'better-sqlite3';
import { isReusable } from '../packed/batch.ts';
import type { Stamp } from '../packed/format.ts';
import { Unpacker } from '../packed/unpacker.ts';
import { redactionFilter } from '../redaction/filter.ts';
import { messageOf, sqliteCode } from '../sqlite-errors.ts';
import { Intake, storeRaw } from './intake.ts';
import type { FromWriter, Loss, ToWriter } from './messages.ts';
import { type Row, withoutPayload } from './rows.ts';
import { Store } from './store.ts';
import type { WriterData } from './thread-data.ts';

/** How long no batch has to come before the write-ahead log is moved into the file. */
const idleMs = 2000;
/** How often is looked whether it has been moved. */
const movingMs = 50;

/** A transaction takes no more batches once it has this much. */
const transactionBytes = 4 * 1024 * 1024;

if (parentPort === null) throw new Error('this module is a worker thread');
const port = parentPort;
const data = workerData as WriterData;
const committed = new Int32Array(data.committed);

const db = new Database(data.file, { fileMustExist: true });
db.pragma('trusted_schema = OFF');
if (data.limitBytes !== undefined) {
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  db.pragma(`max_page_count = ${Math.max(1, Math.ceil(data.limitBytes / pageSize))}`);
}
const edges: Edge[] = db
  .prepare<[], { id: string; caller: string; callee: string; kind: string; mode: string }>(
    'SELECT * FROM edges',
  )
  .all()
  .map(({ id, caller, callee, kind, mode }) => ({
    id: edgeId(id),
    caller,
    callee,
    kind: kind as EdgeKind,
    mode: mode as InterpositionMode,
  }));
const store = new Store(db, { durable: data.durable });
const intake = new Intake({
  filter: data.unsafeRaw ? storeRaw : redactionFilter(data.redaction),
  bodyCapBytes: data.bodyCapBytes,
  edges,
  rowOf: (exchange) => store.rowOf(exchange),
  lastLists: store.lastLists(),
});
const unpacker = new Unpacker();

let loss: Loss | undefined;
/** Lost since the last gap that could be written. */
let unmarked: { readonly seq: number; readonly atNs: number; records: number; bytes: number } | undefined;

function addLoss(reason: string, records: number, bytes: number, first: Stamp): void {
  loss = { reason, records: (loss?.records ?? 0) + records, bytes: (loss?.bytes ?? 0) + bytes };
  unmarked ??= { seq: first.seq, atNs: first.atNs, records: 0, bytes: 0 };
  unmarked.records += records;
  unmarked.bytes += bytes;
}

/** Marks what was lost, if the file has room for that much. */
function markGap(): void {
  if (unmarked === undefined) return;
  const { seq, atNs, records, bytes } = unmarked;
  const detail = `${loss?.reason ?? 'the disk refused'}: ${records} records and ${bytes} bytes of bodies are missing`;
  try {
    store.commit([['gap', [seq, atNs, 'disk', null, bytes, detail]]]);
    unmarked = undefined;
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
  }
}

/** All of it; else all but the payload; else nothing, but counted. Only SQLite's errors are survived. */
function commit(rows: readonly Row[], first: Stamp): void {
  let stored = true;
  try {
    store.commit(rows);
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    const reason = messageOf(error);
    const bare = withoutPayload(rows);
    try {
      store.commit(bare.rows);
      addLoss(reason, 0, bare.lostBytes, first);
    } catch (again) {
      if (sqliteCode(again) === undefined) throw again;
      stored = false;
      addLoss(reason, rows.length, bare.lostBytes, first);
    }
  }
  intake.settled(stored);
  markGap();
}

const answer = (message: FromWriter): void =>
  port.postMessage(message, message.kind === 'stored' ? message.buffers : []);
const withLoss = (): { loss?: Loss } => (loss === undefined ? {} : { loss });

type BatchMessage = Extract<ToWriter, { readonly kind: 'batch' }>;

/** Writes a batch, and those that wait behind it: under load one transaction for several. Gives what comes next. */
async function writeFrom(first: BatchMessage): Promise<ToWriter | undefined> {
  const rows: Row[] = [];
  let stamp: Stamp | undefined;
  const buffers: ArrayBuffer[] = [];
  let bytes = 0;
  let last = first;
  let following: ToWriter | undefined = first;
  while (following?.kind === 'batch' && bytes < transactionBytes) {
    last = following;
    bytes += last.buffer.byteLength;
    if (isReusable(last.buffer)) buffers.push(last.buffer);
    const events = unpacker.unpack(last);
    stamp ??= events[0];
    for (const event of events) {
      const wait = intake.accept(event, rows);
      if (wait !== undefined) await wait;
    }
    following = next();
  }
  intake.settle(rows);
  commit(rows, stamp ?? { seq: 0, atNs: 0 });
  Atomics.store(committed, 0, last.id);
  Atomics.notify(committed, 0);
  answer({ kind: 'stored', id: last.id, buffers, ...withLoss() });
  return following;
}

async function close(stamp: Stamp): Promise<void> {
  const rows: Row[] = [];
  const wait = intake.close(rows, stamp);
  if (wait !== undefined) await wait;
  intake.settle(rows);
  rows.push(['runEnd', [stamp.atNs, intake.redactions, data.runSeq]]);
  commit(rows, stamp);
  store.close();
  answer({ kind: 'closed', ...withLoss() });
  port.close();
}

/** Delivered while something was being written. */
const delivered: ToWriter[] = [];
let working = false;
let idle: NodeJS.Timeout | undefined;

const next = (): ToWriter | undefined =>
  delivered.shift() ?? (receiveMessageOnPort(port)?.message as ToWriter | undefined);

function tidy(): void {
  if (!store.tidy()) idle = setTimeout(tidy, movingMs);
}

async function work(): Promise<void> {
  working = true;
  clearTimeout(idle);
  for (let message = next(); message !== undefined; ) {
    if (message.kind === 'close') return close(message);
    message = await writeFrom(message);
  }
  working = false;
  idle = setTimeout(tidy, idleMs);
}

port.on('message', (message: ToWriter) => {
  delivered.push(message);
  // An error in here is not survivable: it ends the thread, and the recording side reports it.
  if (!working) void work();
});
