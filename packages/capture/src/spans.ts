import type { ExchangeId, JsonObject } from '@plugfest/model';
import { exchangeId, isJsonObject } from '@plugfest/model';
import Database from 'better-sqlite3';
import { Damage } from './reader/damage.ts';
import { asFormatError, openFile } from './reader/open-file.ts';
import { requireIdle } from './writer/prepare.ts';

/** One OpenTelemetry span of the projection, as stored in `spans`. */
export interface StoredSpan {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly exchange?: ExchangeId;
  /** On the capture's monotonic clock. */
  readonly startNs: number;
  readonly endNs: number;
  readonly attributes: JsonObject;
}

/**
 * Stores the spans of a capture that nobody writes any more, in place of those stored before. The capture's root
 * does not change. Throws `PLUGFEST_CAPTURE_BUSY` while it is being recorded.
 */
export function writeSpans(file: string, spans: Iterable<StoredSpan>): void {
  // Opened for reading first: its errors are about what the file is, not about overwriting it.
  openFile(file).close();
  requireIdle(file);
  const db = new Database(file, { fileMustExist: true });
  db.pragma('trusted_schema = OFF');
  try {
    const insert = db.prepare('INSERT OR REPLACE INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    db.transaction(() => {
      db.exec('DELETE FROM spans');
      for (const { traceId, spanId, parentSpanId, name, exchange, startNs, endNs, attributes } of spans)
        insert.run(
          traceId,
          spanId,
          parentSpanId ?? null,
          name,
          exchange ?? null,
          startNs,
          endNs,
          JSON.stringify(attributes),
        );
    }).immediate();
    // One plain file, as a closed capture is.
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    throw asFormatError(file, error);
  } finally {
    db.close();
  }
}

/** The spans stored with a capture, by start; none where nobody stored any. */
export function readSpans(file: string): readonly StoredSpan[] {
  const { db, close } = openFile(file);
  try {
    return db
      .prepare<
        [],
        {
          trace_id: string;
          span_id: string;
          parent: string | null;
          name: string;
          exchange_id: string | null;
          start_ns: number;
          end_ns: number;
          attributes: string;
        }
      >('SELECT * FROM spans ORDER BY start_ns, trace_id, span_id')
      .all()
      .map((row) => ({
        traceId: row.trace_id,
        spanId: row.span_id,
        ...(row.parent === null ? {} : { parentSpanId: row.parent }),
        name: row.name,
        ...(row.exchange_id === null ? {} : { exchange: exchangeId(row.exchange_id) }),
        startNs: row.start_ns,
        endNs: row.end_ns,
        attributes: attributesOf(row.attributes),
      }));
  } catch (error) {
    throw asFormatError(file, error);
  } finally {
    close();
  }
}

function attributesOf(json: unknown): JsonObject {
  try {
    const value: unknown = JSON.parse(String(json));
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new Damage('spans.attributes holds no JSON', { cause });
  }
  throw new Damage('spans.attributes holds no object');
}
