import { isUtf8 } from 'node:buffer';
import type {
  CapturedBody,
  CapturedExchange,
  CapturedResponse,
  CaptureSource,
  RawHeaders,
} from '@plugfest/model';
import { grpcStatusNames, header, headerValues, mediaType } from '@plugfest/model';
import { absoluteUrl } from '../absolute-url.ts';
import { captureExtension, isPlain, lineExtension } from './extension.ts';
import { grpcDetailsTrailer, grpcJsonHeader, usualVersion } from './grpc.ts';
import { sseOf } from './line.ts';
import { sizeOf } from './replay.ts';

/**
 * A capture as exchange NDJSON, one line an exchange. What the format has no place for is in the member `_plugfest`
 * of each line, unless the capture is what an import of the lines gives anyway.
 */
export function* exportNdjson(source: CaptureSource): Generator<string> {
  const notes = Map.groupBy(source.notes(), ({ exchange }) => exchange);
  const gaps = Map.groupBy(source.gaps(), ({ exchange }) => exchange);
  const startMs = Date.parse(source.info.startedAt);
  const plain = isPlain(source) && everyExchangeIsPlain(source);
  let count = 0;
  for (const exchange of source.exchanges()) {
    count += 1;
    const own = notes.get(exchange.id) ?? [];
    const common = {
      from: exchange.edge.caller,
      to: exchange.edge.callee,
      ...atOf(exchange, startMs),
      ...(exchange.connection === undefined ? {} : { connection: exchange.connection }),
      ...(exchange.purpose === 'normal' ? {} : { purpose: exchange.purpose }),
    };
    if (plain) {
      const note = own.find(({ topic }) => topic === 'import')?.text;
      const content = grpcOf(exchange) ?? httpOf(exchange);
      yield JSON.stringify({ ...common, ...content, ...(note === undefined ? {} : { note }) });
      continue;
    }
    const extension = lineExtension(exchange, {
      gaps: gaps.get(exchange.id) ?? [],
      notes: own.map(({ seq: _, ...note }) => note),
      capture: count === 1 ? captureExtension(source) : undefined,
      asRead,
    });
    yield JSON.stringify({ ...common, ...httpOf(exchange), _plugfest: extension });
  }
}

/** Lines without times among lines with times would no longer be in their order, so it is all or none. */
function everyExchangeIsPlain(source: CaptureSource): boolean {
  let count = 0;
  for (const exchange of source.exchanges()) {
    count += 1;
    if (!isPlainExchange(exchange, count)) return false;
  }
  return true;
}

/** Whether an import of the line without more gives the same exchange. */
function isPlainExchange(exchange: CapturedExchange, count: number): boolean {
  const { id, seq, cell, lost, timesSynthetic, changes, end, request, response } = exchange;
  const bodies = [request.body, ...(response === undefined ? [] : [response.body])];
  const last = Math.max(seq, ...bodies.flatMap(({ chunks }) => chunks.map((chunk) => chunk.seq)));
  const events = 4 + bodies.reduce((sum, { chunks }) => sum + chunks.length, 0);
  const isAsRead = (headers: RawHeaders): boolean => {
    const read = asRead(headers);
    return read.length === headers.length && read.every((text, i) => text === headers[i]);
  };
  return (
    id === `x${count}` &&
    timesSynthetic === true &&
    lost === undefined &&
    cell === undefined &&
    changes.length === 0 &&
    end.detail === undefined &&
    last - seq <= events &&
    bodies.every((body) => body.totalBytes === body.storedBytes && body.totalBytes === sizeOf(body)) &&
    request.forwardedHeaders === undefined &&
    response?.forwardedHeaders === undefined &&
    response?.reason === undefined &&
    request.trailers === undefined &&
    request.httpVersion === usualVersion(request.headers) &&
    (response === undefined || response.httpVersion === request.httpVersion) &&
    isAsRead(request.headers) &&
    isAsRead(response?.headers ?? [])
  );
}

/** Header fields as a reader of a line takes them. */
const asRead = (headers: RawHeaders): RawHeaders =>
  Object.entries(headersOf(headers)).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).flatMap((each) => [name, each]),
  );

/** A time that the importer made up is no time: it is never a whole millisecond. */
function atOf({ request, timesSynthetic }: CapturedExchange, startMs: number): { at?: string } {
  if (timesSynthetic && (request.atNs % 1e6 !== 0 || startMs === 0)) return {};
  const at = new Date(startMs + request.atNs / 1e6);
  // Beyond what the calendar has: a file from elsewhere may say so.
  return Number.isNaN(at.getTime()) ? {} : { at: at.toISOString() };
}

function httpOf(exchange: CapturedExchange): object {
  const { request, response, end } = exchange;
  const ended = end.kind === 'complete' ? 'closed' : end.kind;
  const answer =
    response === undefined
      ? ended === 'open'
        ? undefined
        : { end: ended }
      : {
          status: response.status,
          headers: headersOf(response.headers),
          ...responseBody(response),
          ...(response.trailers === undefined || response.trailers.length === 0
            ? {}
            : { trailers: headersOf(response.trailers) }),
          ...(ended === 'closed' && !isSse(response) ? {} : { end: ended }),
        };
  return {
    request: {
      method: request.method,
      url: absoluteUrl(exchange),
      headers: headersOf(request.headers),
      ...bodyOf(request.body),
    },
    ...(answer === undefined ? {} : { response: answer }),
  };
}

function headersOf(headers: RawHeaders): Record<string, string | readonly string[]> {
  const object: Record<string, string | readonly string[]> = {};
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (Object.hasOwn(object, name)) continue;
    const values = headerValues(headers, name).filter((_, at) => names(headers, name)[at] === name);
    Object.defineProperty(object, name, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
    });
  }
  return object;
}

/** The spellings of one header's name, in the order of its values. */
const names = (headers: RawHeaders, name: string): readonly string[] =>
  headers.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name.toLowerCase());

const isSse = ({ headers }: CapturedResponse): boolean =>
  mediaType(header(headers, 'content-type')) === 'text/event-stream' &&
  header(headers, 'content-encoding') === undefined;

const join = (body: CapturedBody): Buffer => Buffer.concat(body.chunks.map(({ bytes }) => bytes));

/** As `body` where that gives the same bytes back, else as text, else as base64. */
function bodyOf(body: CapturedBody): object {
  const bytes = join(body);
  if (bytes.byteLength === 0) return {};
  if (!isUtf8(bytes)) return { body_base64: bytes.toString('base64') };
  const text = bytes.toString('utf8');
  const value = sameJson(text);
  return value === undefined ? { body_raw: text } : { body: value.json };
}

/** The value that a text is the shortest JSON of. */
function sameJson(text: string): { readonly json: unknown } | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return JSON.stringify(json) === text ? { json } : undefined;
  } catch {
    return undefined;
  }
}

function responseBody(response: CapturedResponse): object {
  if (!isSse(response)) return bodyOf(response.body);
  return {
    sse: response.body.chunks.map(({ bytes }) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (!isUtf8(buffer)) return { raw_base64: buffer.toString('base64') };
      const raw = buffer.toString('utf8');
      const data = raw.startsWith('data: ') && raw.endsWith('\n\n') ? sameJson(raw.slice(6, -2)) : undefined;
      return data !== undefined && sseOf(data.json) === raw ? { data: data.json } : { raw };
    }),
  };
}

/** Messages of a body of the marked form; undefined where it is not of that form after all. */
function messagesOf(body: CapturedBody | undefined): readonly unknown[] | undefined {
  const text = body === undefined ? '' : join(body).toString('utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  const values = lines.map((line) => sameJson(line));
  return values.every((value) => value !== undefined) ? values.map(({ json }) => json) : undefined;
}

/** An exchange that came from a gRPC line; undefined for every other. */
function grpcOf({ edge, request, response }: CapturedExchange): object | undefined {
  if (edge.mode !== 'import' || header(request.headers, grpcJsonHeader) === undefined) return undefined;
  const requests = messagesOf(request.body);
  const answers = messagesOf(response?.body);
  if (requests === undefined || answers === undefined) return undefined;
  const [only, ...more] = requests;
  const all = response?.trailers ?? [];
  const trailers = all.filter((_, i) => all[i - (i % 2)] !== grpcDetailsTrailer);
  const details = header(all, grpcDetailsTrailer);
  const code = header(trailers, 'grpc-status');
  const status = code === undefined ? undefined : grpcStatusNames[Number(code)];
  const metadata = request.headers.filter((_, i) => {
    const name = request.headers[i - (i % 2)] ?? '';
    const value = request.headers[i - (i % 2) + 1];
    return name !== grpcJsonHeader && !(name === 'content-type' && value === 'application/grpc');
  });
  return {
    grpc: {
      method: request.target,
      metadata: headersOf(metadata),
      ...(only === undefined ? {} : { request: more.length > 0 ? [only, ...more] : only }),
      ...(answers.length === 0 ? {} : { response: answers.length === 1 ? answers[0] : answers }),
      ...(status === undefined ? {} : { status }),
      ...(trailers.length > (status === undefined ? 0 : 2) ? { trailers: headersOf(trailers) } : {}),
      ...(details === undefined ? {} : { details: sameJson(details)?.json ?? [] }),
    },
  };
}
