import type { CapturedExchange, Change, Edge, EndKind, Purpose, RawHeaders, Side } from '@plugfest/model';
import { edgeId, exchangeId } from '@plugfest/model';
import type { Database, Statement } from 'better-sqlite3';
import { column, exchangeColumns } from '../schema/exchange-row.ts';
import { assemble, type BodyParts, emptyBody, type ResponseHead } from './assemble.ts';
import { BytePages } from './byte-pages.ts';
import { Cursor } from './cursor.ts';
import { Damage } from './damage.ts';
import { HeadLists } from './lists.ts';
import { CheckedRows, isString, jsonList, type RowSource } from './rows.ts';

/** A row of `exchangeColumns`. */
type Row = [
  ...[seq: number, id: string, atNs: number, edge: string, caller: string, callee: string],
  ...[cell: string | null, purpose: Purpose, connection: string | null, method: string, target: string],
  ...[httpVersion: string, synthetic: number],
  ...[headers: number, forwarded: number | null, changes: number | null, ended: number | null],
  ...[responseSeq: number | null, responseAt: number | null, status: number | null, reason: string | null],
  ...[responseVersion: string | null, responseHeaders: number | null, responseForwarded: number | null],
  ...[responseChanges: number | null, responseEnded: number | null],
  ...[endSeq: number | null, endAt: number | null, endKind: EndKind | null, endDetail: string | null],
  ...BodyInRow,
  ...BodyInRow,
];
type BodyInRow = [seq: number | null, atNs: number | null, size: number | null, bytes: Buffer | null];

const exchangeRows = {
  name: 'exchanges',
  columns: exchangeColumns,
  order: 'seq',
  key: 'seq',
  bytes: ['request_body', 'response_body'],
};

const chunkRows = {
  name: 'body_chunks',
  columns: ['exchange', 'seq', 'side', 'at_ns', 'size', 'lost', 'bytes', 'blob'],
  order: 'exchange, seq',
  key: 'seq',
  bytes: ['bytes'],
};
type ChunkRow = [
  exchange: number,
  ...[seq: number, side: Side, atNs: number, size: number, lost: number],
  ...[bytes: Buffer | null, blob: string | null],
];

const changeRows = {
  name: 'further_changes',
  columns: ['exchange', 'seq', 'side', 'place', 'location', 'before', 'after', 'reason'],
  order: 'exchange, seq',
};
type ChangeRow = [
  exchange: number,
  ...[seq: number, side: Side, place: Change['place'], where: string | null],
  ...[before: string | null, after: string | null, reason: string],
];

const trailerRows = { name: 'trailers', columns: ['exchange', 'side', 'headers'], order: 'exchange' };
type TrailersRow = [exchange: number, side: Side, headers: string];

const none: readonly Change[] = [];

/** All exchanges behind a sequence number in the order of observation, one in memory at a time. */
export function* readExchanges(
  db: Database,
  edges: readonly Edge[],
  after = Number.MIN_SAFE_INTEGER,
): Generator<CapturedExchange> {
  const edgeOf = new Map(edges.map((edge) => [edge.id as string, edge]));
  const lists = new HeadLists(db);
  const blobs = new Blobs(db);
  // Bytes are put together as text, which leaves them what they are only where texts are UTF-8.
  if (db.pragma('encoding', { simple: true }) !== 'UTF-8') throw new Damage('its texts are not in UTF-8');
  const opened: { close(): void }[] = [];
  const open = <Source extends { close(): void }>(source: Source): Source => {
    opened.push(source);
    return source;
  };
  try {
    open(snapshot(db));
    const rows: RowSource<Row> = open(new BytePages(db, exchangeRows, after));
    const chunks = new Cursor<ChunkRow>(open(new BytePages(db, chunkRows, after)));
    const furtherChanges = new Cursor<ChangeRow>(open(new CheckedRows(db, changeRows, after)));
    const trailers = new Cursor<TrailersRow>(open(new CheckedRows(db, trailerRows, after)));
    let last = after;
    for (let row = rows.next(); row !== undefined; row = rows.next()) {
      const seq = row[column.seq];
      // In a tree whose pages point in a circle, the same rows come round again.
      if (seq <= last) throw new Damage('exchanges are not in the order of their keys');
      last = seq;
      const edge = row[column.edge];
      const [caller, callee] = [row[column.caller], row[column.callee]];
      const requestBody = bodyInRow(row, column.requestBody, row[column.requestEndedNs]);
      const responseBody = bodyInRow(row, column.responseBody, row[column.responseEndedNs]);
      for (let chunk = chunks.take(seq); chunk !== undefined; chunk = chunks.take(seq))
        addChunk(chunk[2] === 'request' ? requestBody : responseBody, chunk, blobs);
      let requestTrailers: RawHeaders | undefined;
      let responseTrailers: RawHeaders | undefined;
      for (let trailer = trailers.take(seq); trailer !== undefined; trailer = trailers.take(seq)) {
        const fields = jsonList<string>(trailer[2], 'trailers.headers', isString);
        if (trailer[1] === 'request') requestTrailers = fields;
        else responseTrailers = fields;
      }
      yield assemble({
        id: exchangeId(row[column.id]),
        seq,
        atNs: row[column.atNs],
        edge: edgeOf.get(edge) ?? { id: edgeId(edge), caller, callee, kind: 'a2a', mode: 'import' },
        cell: row[column.cell],
        purpose: row[column.purpose],
        connection: row[column.connection],
        method: row[column.method],
        target: row[column.target],
        httpVersion: row[column.httpVersion],
        losses: row[column.synthetic],
        headers: lists.headers(row[column.requestHeaders]) ?? [],
        forwarded: lists.headers(row[column.requestForwarded]),
        response: responseOf(row, lists),
        end: endOf(row),
        requestBody,
        responseBody,
        requestTrailers,
        responseTrailers,
        changes: changesOf(row, lists, furtherChanges),
      });
    }
  } finally {
    for (const source of opened) source.close();
  }
}

/** SQLite keeps to one state of the file as long as a statement is open: what is read later fits what was read before. */
function snapshot(db: Database): { close(): void } {
  const session = db.prepare('SELECT seq FROM runs').iterate();
  session.next();
  return { close: () => session.return?.() };
}

/** Bytes that are held of one body; recorders store far less. */
const largestBody = 2 * 1024 ** 3;

/** Chunks that are stored once. What comes several times in a row is read once. */
class Blobs {
  readonly #bytes: Statement<[string], Buffer>;
  #last: { readonly sha256: string; readonly bytes: Buffer | undefined } | undefined;

  constructor(db: Database) {
    this.#bytes = db.prepare<[string], Buffer>('SELECT bytes FROM blobs WHERE sha256 = ?').pluck();
  }

  get(sha256: string): Buffer | undefined {
    if (this.#last?.sha256 !== sha256) this.#last = { sha256, bytes: this.#bytes.get(sha256) };
    return this.#last.bytes;
  }
}

/** A body as far as it is in the exchange's own row. */
function bodyInRow(
  row: Row,
  at: typeof column.requestBody | typeof column.responseBody,
  endedNs: number | null,
): BodyParts {
  const body = emptyBody();
  body.endedAtNs = endedNs ?? undefined;
  const [seq, atNs] = [row[at], row[at + 1] as BodyInRow[1]];
  const [size, bytes] = [row[at + 2] as BodyInRow[2], row[at + 3] as BodyInRow[3]];
  if (seq !== null && atNs !== null && size !== null && bytes !== null) {
    body.totalBytes = size;
    body.chunks.push({ seq, atNs, bytes });
  }
  return body;
}

function addChunk(body: BodyParts, row: ChunkRow, blobs: Blobs): void {
  const [, seq, , atNs, size, lost, bytes, sha256] = row;
  body.totalBytes += size;
  body.lostBytes += lost;
  const stored = sha256 === null ? bytes : blobs.get(sha256);
  body.heldBytes += stored?.byteLength ?? 0;
  // A small file may say many times that a large blob is a piece of it.
  if (body.heldBytes > largestBody)
    throw new Damage(`a body is of more than ${largestBody / 1024 ** 3} GiB, which nothing could be made of`);
  if (sha256 !== null && !(stored instanceof Uint8Array))
    throw new Damage(`blobs.bytes holds nothing for ${sha256}`);
  if (stored !== null && stored !== undefined) body.chunks.push({ seq, atNs, bytes: stored });
}

function responseOf(row: Row, lists: HeadLists): ResponseHead | undefined {
  const atNs = row[column.responseNs];
  const status = row[column.status];
  if (atNs === null || status === null) return undefined;
  return {
    atNs,
    status,
    reason: row[column.reason],
    httpVersion: row[column.responseVersion] ?? '',
    headers: lists.headers(row[column.responseHeaders]) ?? [],
    forwarded: lists.headers(row[column.responseForwarded]),
  };
}

function endOf(row: Row): CapturedExchange['end'] {
  const [atNs, kind, detail] = [row[column.endNs], row[column.ended], row[column.endDetail]];
  if (kind === null) return { kind: 'open' };
  return { kind, ...(atNs === null ? {} : { atNs }), ...(detail === null ? {} : { detail }) };
}

/** Changes in the order of observation: those of a head stand where the head does. */
function changesOf(row: Row, lists: HeadLists, further: Cursor<ChangeRow>): readonly Change[] {
  const ofRequest = lists.changes(row[column.requestChanges]) ?? none;
  const ofResponse = lists.changes(row[column.responseChanges]) ?? none;
  const before: Change[] = [];
  const after: Change[] = [];
  const exchange = row[column.seq];
  for (let change = further.take(exchange); change !== undefined; change = further.take(exchange)) {
    const [, seq, side, place, where, from, to, reason] = change;
    (seq < (row[column.responseSeq] ?? 0) ? before : after).push({
      side,
      place,
      ...(where === null ? {} : { where }),
      ...(from === null ? {} : { before: from }),
      ...(to === null ? {} : { after: to }),
      reason,
    });
  }
  const rest = before.length + after.length + ofResponse.length;
  return rest === 0 ? ofRequest : [...ofRequest, ...before, ...ofResponse, ...after];
}
