import { createHash } from 'node:crypto';
import {
  type ExchangeRow,
  insertExchange,
  type SqlValue,
  takeBody,
  updateExchange,
} from '../schema/exchange-row.ts';

/** How each kind of row is written. `OR REPLACE`: a later, fuller version of a row may follow the first. */
export const statements = {
  runEnd: `UPDATE runs SET ended_ns = ?, redactions = ? WHERE seq = ?`,
  clock: `INSERT OR REPLACE INTO clock VALUES (?, ?, ?)`,
  participant: `INSERT OR REPLACE INTO participants VALUES (?, ?, ?, ?, ?)`,
  edge: `INSERT OR REPLACE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  connection: `INSERT OR REPLACE INTO connections (id, seq, at_ns, edge, direction, remote_address, remote_port, local_port)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  connectionClose: `UPDATE connections SET closed_ns = ?, detail = ? WHERE seq = ?`,
  headerList: `INSERT INTO header_lists VALUES (?, ?)`,
  changeList: `INSERT INTO change_lists VALUES (?, ?)`,
  exchange: insertExchange,
  exchangeLater: updateExchange,
  informational: `INSERT OR REPLACE INTO informational VALUES (?, ?, ?, ?, ?)`,
  chunk: `INSERT OR REPLACE INTO body_chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  blob: `INSERT OR IGNORE INTO blobs VALUES (?, ?)`,
  alteredBody: `INSERT OR REPLACE INTO altered_bodies VALUES (?, ?, ?, ?)`,
  trailers: `INSERT OR REPLACE INTO trailers VALUES (?, ?, ?, ?, ?)`,
  change: `INSERT OR REPLACE INTO further_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  gap: `INSERT INTO gaps VALUES (?, ?, ?, ?, ?, ?)`,
  note: `INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)`,
} as const;

export type RowKind = keyof typeof statements;

/** One row to write: the statement and what it binds; for `exchange` and `exchangeLater`, the whole row. */
export type Row =
  | readonly [Exclude<RowKind, ExchangeKind>, readonly SqlValue[]]
  | readonly [ExchangeKind, ExchangeRow];

type ExchangeKind = 'exchange' | 'exchangeLater';

/** Chunks from this size on are stored once per content, in `blobs`. */
const blobFromBytes = 64 * 1024;

export interface ChunkRow {
  readonly seq: number;
  readonly exchange: number;
  readonly side: string;
  readonly atNs: number;
  /** Bytes on the wire. */
  readonly size: number;
  /** Of these, how many are not stored. */
  readonly lost: number;
  readonly bytes: Uint8Array | null;
}

/** Adds a chunk, and the blob where it is large. */
export function addChunk(rows: Row[], { seq, exchange, side, atNs, size, lost, bytes }: ChunkRow): void {
  if (bytes === null || bytes.byteLength < blobFromBytes) {
    rows.push(['chunk', [seq, exchange, side, atNs, size, lost, bytes, null]]);
    return;
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  rows.push(['blob', [sha256, bytes]], ['chunk', [seq, exchange, side, atNs, size, lost, null, sha256]]);
}

/**
 * The same rows without payload: what is tried when the disk has no room for all of it. A body in the row of an
 * exchange leaves that row for good and becomes a chunk without bytes.
 */
export function withoutPayload(rows: readonly Row[]): { readonly rows: Row[]; readonly lostBytes: number } {
  const kept: Row[] = [];
  let lostBytes = 0;
  for (const row of rows) {
    const [kind, values] = row;
    if (kind === 'blob') continue;
    if (kind === 'exchange' || kind === 'exchangeLater') {
      kept.push(row);
      for (const side of ['request', 'response'] as const) {
        const body = takeBody(values, side);
        if (body === undefined) continue;
        const { seq, atNs, size } = body;
        lostBytes += size;
        kept.push(['chunk', [seq, values[0] ?? null, side, atNs, size, size, null, null]]);
      }
    } else if (kind === 'chunk') {
      const [seq = null, exchange = null, side = null, atNs = null, size = 0, lost = 0] = values;
      lostBytes += Number(size) - Number(lost);
      kept.push(['chunk', [seq, exchange, side, atNs, size, size, null, null]]);
    } else kept.push(row);
  }
  return { rows: kept, lostBytes };
}
