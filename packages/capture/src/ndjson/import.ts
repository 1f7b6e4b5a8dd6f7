import type { CapturedExchange, CaptureSink } from '@plugfest/model';
import { runId } from '@plugfest/model';
import { memoryCapture } from '../memory.ts';
import { messageOf } from '../sqlite-errors.ts';
import { lineError, parseLine } from './line.ts';
import { LineRecorder } from './record.ts';

export interface NdjsonOptions {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Longest line accepted, in UTF-16 units; 64 Mi by default. */
  readonly maxLineLength?: number;
  /** What ids of exchanges begin with, where a capture is made from several files. */
  readonly idPrefix?: string | undefined;
}

/**
 * Reads exchange NDJSON into a sink; empty lines are skipped. Gives the number of exchanges. Throws
 * `PLUGFEST_IMPORT_FORMAT` at the first malformed line, named with file and number; what came before it is in the
 * sink.
 */
export async function importNdjson(
  lines: Iterable<string> | AsyncIterable<string>,
  sink: CaptureSink,
  { file, maxLineLength = 64 * 1024 * 1024, idPrefix }: NdjsonOptions,
): Promise<number> {
  const recorder = new LineRecorder(sink, idPrefix);
  let line = 0;
  let count = 0;
  for await (const text of lines) {
    line += 1;
    const place = { file, line };
    if (text.length > maxLineLength) throw lineError(place, `is longer than ${maxLineLength} characters`);
    if (text.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text);
    } catch (error) {
      throw lineError(place, `is no JSON (${messageOf(error)})`, error);
    }
    recorder.record(parseLine(value, place), place);
    count += 1;
    // What a slow disk cannot take would be dropped as payload; an import can wait instead.
    if (count % 256 === 0) await sink.flush();
  }
  recorder.finish();
  return count;
}

/** Lines of a byte stream, without their ends; a line longer than `maxBytes` is an error, not a full memory. */
export async function* ndjsonLines(
  bytes: AsyncIterable<Uint8Array>,
  { file, maxLineLength = 64 * 1024 * 1024 }: NdjsonOptions,
): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let line = 1;
  for await (const piece of bytes) {
    let from = 0;
    const buffer = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = buffer.indexOf(10); at !== -1; at = buffer.indexOf(10, from)) {
      rest.push(buffer.subarray(from, at));
      yield Buffer.concat(rest).toString('utf8');
      rest = [];
      restBytes = 0;
      from = at + 1;
      line += 1;
    }
    rest.push(Buffer.from(buffer.subarray(from)));
    restBytes += buffer.byteLength - from;
    if (restBytes > maxLineLength) throw lineError({ file, line }, `is longer than ${maxLineLength} bytes`);
  }
  if (restBytes > 0) yield Buffer.concat(rest).toString('utf8');
}

/** Exchanges from objects of the format, for tests and rule examples: pure, in memory. */
export function capturedFromNdjson(objects: readonly unknown[]): CapturedExchange[] {
  const capture = memoryCapture(runId('import'), { clock: { nowNs: () => 0, wallMs: () => 0 } });
  const recorder = new LineRecorder(capture);
  for (const [i, object] of objects.entries()) {
    const place = { file: 'exchanges', line: i + 1 };
    recorder.record(parseLine(object, place), place);
  }
  recorder.finish();
  return [...capture.source().exchanges()];
}
