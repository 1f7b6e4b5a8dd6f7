import type {
  CapturedExchange,
  CapturedNote,
  CaptureInfo,
  CaptureSource,
  Edge,
  EdgeKind,
  Gap,
  InterpositionMode,
  Participant,
  ParticipantKind,
} from '@plugfest/model';
import { cellId, edgeId, exchangeId, runId } from '@plugfest/model';
import type { Database } from 'better-sqlite3';
import { isAlive } from '../writer/identity.ts';
import { lastRecord, uncleanGap } from '../writer/prepare.ts';
import { Damage } from './damage.ts';
import { readExchanges } from './exchanges.ts';
import { asFormatError, type OpenFile, openFile, openRecordedFile } from './open-file.ts';
import { RootKeeper } from './root-of.ts';
import { rowCheck } from './rows.ts';

export interface SourceOptions {
  /** `false`: a pass over the exchanges does not compute the root by the way, for who has no use for it. */
  readonly hashing?: boolean;
}

/**
 * Opens a capture for reading; the file and its folder stay as they are.
 *
 * Throws `PLUGFEST_CAPTURE_NOT_FOUND`, `PLUGFEST_CAPTURE_FORMAT` (also later, where a damaged page is met) and
 * `PLUGFEST_CAPTURE_VERSION`. `info.root` is computed on first use, or by the way of the first whole pass over
 * `exchanges()`.
 */
export function openCaptureSource(file: string, { hashing = true }: SourceOptions = {}): CaptureSource {
  const opened = openFile(file);
  try {
    return new FileSource(file, opened, hashing);
  } catch (error) {
    opened.close();
    throw asFormatError(file, error);
  }
}

/** Reads a capture while it is recorded. */
export interface CaptureFollower extends Pick<CaptureSource, 'participants' | 'gaps' | 'close'> {
  /**
   * Exchanges behind a sequence number that have ended, in the order of observation. It ends at the first that is open:
   * what is behind that one has to wait for it.
   */
  endedAfter(seq: number): Iterable<CapturedExchange>;
}

/**
 * Opens a capture that somebody is recording; undefined where nobody is, or not yet. To be closed before the recorder
 * closes it, which needs it for itself. Throws as `openCaptureSource` does.
 */
export function followCapture(file: string): CaptureFollower | undefined {
  const opened = openRecordedFile(file);
  if (opened === undefined) return undefined;
  try {
    return new FileSource(file, opened, false);
  } catch (error) {
    opened.close();
    throw asFormatError(file, error);
  }
}

interface RunRow {
  readonly id: string;
  readonly ended: number | null;
  readonly writer: string;
}

class FileSource implements CaptureSource, CaptureFollower {
  readonly info: CaptureInfo;
  readonly #file: string;
  readonly #opened: OpenFile;
  readonly #db: Database;
  readonly #root: RootKeeper;
  /** A recorder that was killed left it open; one that still lives did not. */
  readonly #killed: boolean;
  readonly #hashing: boolean;
  #lastNs: number | undefined;

  constructor(file: string, opened: OpenFile, hashing: boolean) {
    this.#file = file;
    this.#hashing = hashing;
    this.#opened = opened;
    this.#db = opened.db;
    const runs = this.#all<RunRow>('runs', { id: 'id', ended_ns: 'ended', writer: 'writer' }, 'seq');
    const [firstRun] = runs;
    if (firstRun === undefined) throw new Damage('no recording session is in it');
    const run = runId(firstRun.id);
    const open = runs.filter((each) => each.ended === null);
    this.#killed = open.some((each) => !isAlive(each.writer));
    const unclean = this.#db
      .prepare<[], number>(`SELECT count(*) FROM gaps WHERE reason = 'unclean-shutdown'`)
      .pluck()
      .get();
    const [anchor] = this.#all<{ wallMs: number }>('clock', { wall_ms: 'wallMs' }, 'seq LIMIT 1');
    const start = new Date(anchor?.wallMs ?? 0);
    if (Number.isNaN(start.getTime())) throw new Damage('clock.wall_ms is no time');
    const startedAt = start.toISOString();
    const exchanges = this.#db.prepare<[], number>('SELECT count(*) FROM exchanges').pluck().get() ?? 0;
    const root = new RootKeeper({
      run,
      startedAt,
      participants: () => this.participants(),
      edges: () => this.edges(),
      gaps: () => this.gaps(),
      notes: () => this.notes(),
      exchanges: () => this.#exchanges(),
    });
    this.#root = root;
    this.info = {
      run,
      get root() {
        return root.root;
      },
      exchanges,
      startedAt,
      cleanShutdown: open.length === 0 && unclean === 0,
    };
  }

  participants(): readonly Participant[] {
    return this.#all<{ name: string; kind: string; about: string | null }>(
      'participants',
      { name: 'name', kind: 'kind', about: 'about' },
      'seq',
    ).map(({ name, kind, about }) => ({
      name,
      kind: kind as ParticipantKind,
      ...(about === null ? {} : { about }),
    }));
  }

  edges(): readonly Edge[] {
    return this.#all<{
      id: string;
      caller: string;
      callee: string;
      kind: string;
      mode: string;
      upstream: string | null;
    }>(
      'edges',
      { id: 'id', caller: 'caller', callee: 'callee', kind: 'kind', mode: 'mode', upstream: 'upstream' },
      'seq',
    ).map(({ id, caller, callee, kind, mode, upstream }) => ({
      id: edgeId(id),
      caller,
      callee,
      kind: kind as EdgeKind,
      mode: mode as InterpositionMode,
      ...(upstream === null ? {} : { upstream }),
    }));
  }

  exchanges(): ReturnType<RootKeeper['watch']> {
    return this.#hashing ? this.#root.watch() : this.#exchanges();
  }

  *endedAfter(seq: number): Generator<CapturedExchange> {
    for (const exchange of this.#exchanges(seq)) {
      if (exchange.end.kind === 'open') return;
      yield exchange;
    }
  }

  gaps(): readonly Gap[] {
    const gaps = this.#all<{
      at: number;
      reason: Gap['reason'];
      exchange: string | null;
      lost: number | null;
      detail: string | null;
    }>(
      'gaps',
      { at_ns: 'at', reason: 'reason', exchange_id: 'exchange', lost_bytes: 'lost', detail: 'detail' },
      'seq, rowid',
    ).map(
      ({ at, reason, exchange, lost, detail }): Gap => ({
        atNs: at,
        reason,
        ...(exchange === null ? {} : { exchange: exchangeId(exchange) }),
        ...(lost === null ? {} : { lostBytes: lost }),
        ...(detail === null ? {} : { detail }),
      }),
    );
    return this.#killed ? [...gaps, this.#derived()] : gaps;
  }

  notes(): readonly CapturedNote[] {
    return this.#all<{
      seq: number;
      at: number;
      topic: string;
      text: string;
      exchange: string | null;
      cell: string | null;
    }>(
      'notes',
      { seq: 'seq', at_ns: 'at', topic: 'topic', text: 'text', exchange_id: 'exchange', cell: 'cell' },
      'seq, rowid',
    ).map(({ seq, at, topic, text, exchange, cell }) => ({
      seq,
      atNs: at,
      topic,
      text,
      ...(exchange === null ? {} : { exchange: exchangeId(exchange) }),
      ...(cell === null ? {} : { cell: cellId(cell) }),
    }));
  }

  close(): void {
    if (this.#db.open) this.#opened.close();
  }

  *#exchanges(after?: number): ReturnType<RootKeeper['watch']> {
    try {
      yield* readExchanges(this.#db, this.edges(), after);
    } catch (error) {
      throw asFormatError(this.#file, error);
    }
  }

  /** The gap after the last record of a recorder that was killed. */
  #derived(): Gap {
    this.#lastNs ??= this.#guard(() => lastRecord(this.#db)).atNs;
    return { atNs: this.#lastNs, ...uncleanGap };
  }

  /** All rows of a table, as objects: column to member. */
  #all<Row extends object>(
    table: string,
    members: Readonly<Record<string, string & keyof Row>>,
    order: string,
  ): Row[] {
    const columns = Object.keys(members);
    const named = columns.map((column) => `${column} AS "${members[column]}"`);
    return this.#guard(() => {
      const check = rowCheck(table, columns);
      const rows = this.#db
        .prepare<[], Row>(`SELECT ${named.join(', ')} FROM ${table} ORDER BY ${order}`)
        .all();
      for (const row of rows) check(Object.values(row));
      return rows;
    });
  }

  #guard<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw asFormatError(this.#file, error);
    }
  }
}
