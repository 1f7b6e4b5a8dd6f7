import type { CapturedExchange, Change, Edge, EndKind, Purpose, RawHeaders, Side } from '@plugfest/model';
import { edgeId, exchangeId } from '@plugfest/model';
import type { Database } from 'better-sqlite3';
import { assemble, type BodyParts, emptyBody, type ResponseHead } from './assemble.ts';

/** Everything of an exchange that is there at most once comes in one row; looked up by primary key within SQLite. */
const exchangesSql = `
  SELECT e.seq, e.id, e.at_ns, e.edge, e.caller, e.callee, e.cell, e.purpose, e.connection, e.method, e.target,
         e.http_version, e.synthetic,
         q.headers, q.forwarded,
         p.at_ns, p.status, p.reason, p.http_version, p.headers, p.forwarded,
         n.at_ns, n.kind, n.detail,
         bq.ended_ns, bp.ended_ns
  FROM exchanges e
  LEFT JOIN heads q ON q.exchange = e.seq AND q.side = 'request'
  LEFT JOIN heads p ON p.exchange = e.seq AND p.side = 'response'
  LEFT JOIN ends n ON n.exchange = e.seq
  LEFT JOIN bodies bq ON bq.exchange = e.seq AND bq.side = 'request'
  LEFT JOIN bodies bp ON bp.exchange = e.seq AND bp.side = 'response'
  ORDER BY e.seq`;

type ExchangeRow = [
  ...[
    seq: number,
    id: string,
    atNs: number,
    edge: string,
    caller: string,
    callee: string,
    cell: string | null,
  ],
  ...[purpose: Purpose, connection: string | null, method: string, target: string, httpVersion: string],
  ...[synthetic: number, headers: string | null, forwarded: string | null],
  ...[
    responseAt: number | null,
    status: number | null,
    reason: string | null,
    responseVersion: string | null,
  ],
  ...[responseHeaders: string | null, responseForwarded: string | null],
  ...[endAt: number | null, endKind: EndKind | null, endDetail: string | null],
  ...[requestEnded: number | null, responseEnded: number | null],
];

const chunksSql =
  'SELECT exchange, seq, side, at_ns, size, lost, bytes, blob FROM chunks ORDER BY exchange, seq';
type ChunkRow = [
  exchange: number,
  ...[
    seq: number,
    side: Side,
    atNs: number,
    size: number,
    lost: number,
    bytes: Buffer | null,
    blob: string | null,
  ],
];

const changesSql =
  'SELECT exchange, side, place, location, before, after, reason FROM changes ORDER BY exchange, seq';
type ChangeRow = [
  exchange: number,
  ...[side: Side, place: Change['place'], where: string | null, before: string | null, after: string | null],
  reason: string,
];

const trailersSql = 'SELECT exchange, side, headers FROM trailers ORDER BY exchange';
type TrailersRow = [exchange: number, side: Side, headers: string];

/** Rows that are sorted by exchange, taken exchange by exchange. One statement, however many exchanges. */
class Cursor<Row extends readonly [number, ...unknown[]]> {
  readonly #rows: IterableIterator<Row>;
  #next: Row | undefined;

  constructor(db: Database, sql: string) {
    this.#rows = db.prepare<[], Row>(sql).raw().iterate();
    this.#advance();
  }

  /** The next row of that exchange; rows of exchanges that were passed over are skipped. */
  take(exchange: number): Row | undefined {
    while (this.#next !== undefined && this.#next[0] < exchange) this.#advance();
    const row = this.#next;
    if (row === undefined || row[0] !== exchange) return undefined;
    this.#advance();
    return row;
  }

  close(): void {
    this.#rows.return?.();
  }

  #advance(): void {
    const { value, done } = this.#rows.next();
    this.#next = done ? undefined : value;
  }
}

const noChanges: readonly Change[] = [];

const headersOf = (json: string | null): RawHeaders => (json === null ? [] : (JSON.parse(json) as string[]));
const forwardedOf = (json: string | null): RawHeaders | undefined =>
  json === null ? undefined : (JSON.parse(json) as string[]);

/** All exchanges in the order of observation, one in memory at a time. */
export function* readExchanges(db: Database, edges: readonly Edge[]): Generator<CapturedExchange> {
  const edgeOf = new Map(edges.map((edge) => [edge.id as string, edge]));
  const blob = db.prepare<[string], Buffer>('SELECT bytes FROM blobs WHERE sha256 = ?').pluck();
  const cursors: { close(): void }[] = [];
  const open = <Row extends readonly [number, ...unknown[]]>(sql: string): Cursor<Row> => {
    const cursor = new Cursor<Row>(db, sql);
    cursors.push(cursor);
    return cursor;
  };
  try {
    const exchanges = db.prepare<[], ExchangeRow>(exchangesSql).raw().iterate();
    cursors.push({ close: () => exchanges.return?.() });
    const chunks = open<ChunkRow>(chunksSql);
    const changes = open<ChangeRow>(changesSql);
    const trailers = open<TrailersRow>(trailersSql);
    for (const row of exchanges) {
      const [seq, id, atNs, edge, caller, callee, cell, purpose, connection, method, target, httpVersion] =
        row;
      const [, , , , , , , , , , , , synthetic, headers, forwarded, responseAt, status, reason] = row;
      const [responseVersion, responseHeaders, responseForwarded, endAt, endKind, endDetail] = row.slice(
        18,
      ) as [
        ...[string | null, string | null, string | null],
        ...[number | null, EndKind | null, string | null],
      ];
      const requestBody = emptyBody();
      const responseBody = emptyBody();
      requestBody.endedAtNs = row[24] ?? undefined;
      responseBody.endedAtNs = row[25] ?? undefined;
      for (let chunk = chunks.take(seq); chunk !== undefined; chunk = chunks.take(seq)) {
        const [, chunkSeq, side, chunkAt, size, lost, bytes, sha256] = chunk;
        const body: BodyParts = side === 'request' ? requestBody : responseBody;
        body.totalBytes += size;
        body.lostBytes += lost;
        const stored = sha256 === null ? bytes : blob.get(sha256);
        if (stored !== null && stored !== undefined)
          body.chunks.push({ seq: chunkSeq, atNs: chunkAt, bytes: stored });
      }
      let changed: Change[] | undefined;
      for (let change = changes.take(seq); change !== undefined; change = changes.take(seq)) {
        const [, side, place, where, before, after, why] = change;
        changed ??= [];
        changed.push({
          side,
          place,
          ...(where === null ? {} : { where }),
          ...(before === null ? {} : { before }),
          ...(after === null ? {} : { after }),
          reason: why,
        });
      }
      let requestTrailers: RawHeaders | undefined;
      let responseTrailers: RawHeaders | undefined;
      for (let trailer = trailers.take(seq); trailer !== undefined; trailer = trailers.take(seq)) {
        if (trailer[1] === 'request') requestTrailers = headersOf(trailer[2]);
        else responseTrailers = headersOf(trailer[2]);
      }
      const response: ResponseHead | undefined =
        responseAt === null || status === null
          ? undefined
          : {
              atNs: responseAt,
              status,
              reason,
              httpVersion: responseVersion ?? '',
              headers: headersOf(responseHeaders),
              forwarded: forwardedOf(responseForwarded),
            };
      yield assemble({
        id: exchangeId(id),
        seq,
        atNs,
        edge: edgeOf.get(edge) ?? { id: edgeId(edge), caller, callee, kind: 'a2a', mode: 'import' },
        cell,
        purpose,
        connection,
        method,
        target,
        httpVersion,
        synthetic: synthetic === 1,
        headers: headersOf(headers),
        forwarded: forwardedOf(forwarded),
        response,
        end:
          endKind === null
            ? { kind: 'open' }
            : {
                kind: endKind,
                ...(endAt === null ? {} : { atNs: endAt }),
                ...(endDetail === null ? {} : { detail: endDetail }),
              },
        requestBody,
        responseBody,
        requestTrailers,
        responseTrailers,
        changes: changed ?? noChanges,
      });
    }
  } finally {
    for (const cursor of cursors) cursor.close();
  }
}
