import { isJsonObject, type JsonObject, PlugfestError, type Purpose } from '@plugfest/model';
import { type LineExtension, parseExtension } from './extension.ts';

/** Where a line comes from, for messages. */
export interface LinePlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

interface LineRequest {
  readonly method: string;
  readonly url: string;
  readonly httpVersion: string | undefined;
  readonly headers: readonly string[];
  readonly body: Uint8Array | undefined;
}

/** A piece of a body. */
export interface LineChunk {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970, where the line says when it came. */
  readonly atMs: number | undefined;
}

interface LineResponse {
  /** Absent where the request was never answered. */
  readonly status: number | undefined;
  readonly headers: readonly string[];
  /** The pieces that become chunks. */
  readonly chunks: readonly LineChunk[];
  readonly trailers: readonly string[];
  readonly end: string | undefined;
}

interface LineGrpc {
  readonly method: string;
  readonly metadata: readonly string[];
  readonly requests: readonly unknown[];
  readonly responses: readonly unknown[];
  /** When each of them came, in milliseconds since 1970, where the line says so. */
  readonly responseAtMs: readonly (number | undefined)[];
  readonly status: string | undefined;
  readonly trailers: readonly string[];
  /** The typed objects of the status, decoded, where the line gives them. */
  readonly details: readonly unknown[] | undefined;
}

/** One line of exchange NDJSON, checked. */
export interface Line {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly atMs: number | undefined;
  readonly purpose: Purpose | undefined;
  /** Name of the connection that carried it. */
  readonly connection: string | undefined;
  readonly call: { readonly request: LineRequest; readonly response: LineResponse | undefined } | undefined;
  readonly grpc: LineGrpc | undefined;
  readonly note: string | undefined;
  /** What the format has no place for, in lines that Plugfest wrote. */
  readonly extension: LineExtension | undefined;
  /** Members that the format does not know. */
  readonly unknown: readonly string[];
}

const known = new Set([
  ...['from', 'to', 'at', 'purpose', 'connection', 'request', 'response', 'grpc', 'note', '_plugfest'],
]);

/** Names of the ends in the format; the ends that Plugfest itself records may be used too. */
const endNames = new Set([
  'closed',
  'complete',
  'reset',
  'client-abort',
  'upstream-abort',
  'timeout',
  'fault',
  'shutdown',
  'open',
]);

/** Checks one object of the format. Throws `PLUGFEST_IMPORT_FORMAT` with file, line and what is wrong. */
export function parseLine(value: unknown, place: LinePlace): Line {
  const fail = (what: string): never => {
    throw lineError(place, what);
  };
  if (!isJsonObject(value)) return fail('is not a JSON object');
  const text = (object: JsonObject, name: string, where: string): string => {
    const found = object[name];
    return typeof found === 'string' && found !== ''
      ? found
      : fail(`${where} must be a string that is not empty`);
  };
  const object = (of: JsonObject, name: string, where: string): JsonObject | undefined => {
    const found = of[name];
    if (found === undefined) return undefined;
    return isJsonObject(found) ? found : fail(`${where} must be an object`);
  };
  const headers = (of: JsonObject, name: string, where: string): string[] => {
    const flat: string[] = [];
    for (const [key, entry] of Object.entries(object(of, name, where) ?? {})) {
      for (const each of Array.isArray(entry) ? entry : [entry]) {
        if (typeof each !== 'string' && typeof each !== 'number')
          return fail(`${where}[${JSON.stringify(key)}] must be a string, or an array of strings`);
        flat.push(key, String(each));
      }
    }
    return flat;
  };
  const body = (of: JsonObject, where: string): Uint8Array | undefined => {
    const given = ['body', 'body_raw', 'body_base64'].filter((name) => of[name] !== undefined);
    if (given.length > 1) return fail(`${where} has ${given.join(' and ')}; one of them is possible`);
    if (of.body !== undefined) return Buffer.from(jsonText(of.body, place));
    if (of.body_raw !== undefined)
      return Buffer.from(
        typeof of.body_raw === 'string' ? of.body_raw : fail(`${where}.body_raw must be a string`),
      );
    if (of.body_base64 !== undefined) return base64(of.body_base64, `${where}.body_base64`, fail);
    return undefined;
  };

  const from = text(value, 'from', 'from');
  const to = text(value, 'to', 'to');
  const time = (found: unknown, where: string): number | undefined => {
    if (found === undefined) return undefined;
    const ms = typeof found === 'string' ? Date.parse(found) : Number.NaN;
    return Number.isNaN(ms) ? fail(`${where} must be an ISO 8601 time, not ${jsonText(found, place)}`) : ms;
  };
  const atMs = time(value.at, 'at');
  const given = value.purpose;
  const purpose: Purpose | undefined =
    given === undefined || given === 'normal' || given === 'probe'
      ? given
      : fail(`purpose must be "normal" or "probe", not ${jsonText(given, place)}`);
  const connection = value.connection === undefined ? undefined : text(value, 'connection', 'connection');
  const note = value.note === undefined ? undefined : text(value, 'note', 'note');
  const unknown = Object.keys(value).filter((name) => !known.has(name));
  const extension = value._plugfest === undefined ? undefined : parseExtension(value._plugfest, fail);
  const common = { from, to, atMs, purpose, connection, note, unknown, extension };

  const grpc = object(value, 'grpc', 'grpc');
  if (grpc !== undefined) {
    if (value.request !== undefined) return fail('has both request and grpc; one of them is possible');
    const list = (found: unknown): unknown[] =>
      found === undefined ? [] : Array.isArray(found) ? found : [found];
    return {
      ...common,
      call: undefined,
      grpc: {
        method: text(grpc, 'method', 'grpc.method'),
        metadata: headers(grpc, 'metadata', 'grpc.metadata'),
        requests: list(grpc.request),
        responses: list(grpc.response),
        responseAtMs: list(grpc.response_at).map((each, i) => time(each, `grpc.response_at[${i}]`)),
        status: grpc.status === undefined ? undefined : text(grpc, 'status', 'grpc.status'),
        trailers: headers(grpc, 'trailers', 'grpc.trailers'),
        details:
          grpc.details === undefined
            ? undefined
            : Array.isArray(grpc.details)
              ? grpc.details
              : fail('grpc.details must be an array'),
      },
    };
  }

  const request = object(value, 'request', 'request') ?? fail('has neither request nor grpc');
  const response = object(value, 'response', 'response');
  return {
    ...common,
    grpc: undefined,
    call: {
      request: {
        method: text(request, 'method', 'request.method'),
        url: text(request, 'url', 'request.url'),
        httpVersion:
          request.http_version === undefined
            ? undefined
            : text(request, 'http_version', 'request.http_version'),
        headers: headers(request, 'headers', 'request.headers'),
        body: body(request, 'request'),
      },
      response: response && parseResponse(response, { fail, headers, body, time, place }),
    },
  };
}

interface Checks {
  readonly fail: (what: string) => never;
  readonly headers: (of: JsonObject, name: string, where: string) => string[];
  readonly body: (of: JsonObject, where: string) => Uint8Array | undefined;
  readonly time: (found: unknown, where: string) => number | undefined;
  readonly place: LinePlace;
}

function parseResponse(response: JsonObject, { fail, headers, body, time, place }: Checks): LineResponse {
  const { status, sse, end } = response;
  if (
    status !== undefined &&
    !(typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 999)
  )
    return fail(`response.status must be a number from 100 to 999, not ${jsonText(status, place)}`);
  if (end !== undefined && !(typeof end === 'string' && endNames.has(end)))
    return fail(`response.end must be one of ${[...endNames].join(', ')}, not ${jsonText(end, place)}`);
  const whole = body(response, 'response');
  const chunks: LineChunk[] = whole === undefined ? [] : [{ bytes: whole, atMs: undefined }];
  if (sse !== undefined) {
    if (whole !== undefined) return fail('response has both sse and a body; one of them is possible');
    if (!Array.isArray(sse)) return fail('response.sse must be an array');
    for (const [i, event] of sse.entries()) {
      const where = `response.sse[${i}]`;
      if (!isJsonObject(event)) return fail(`${where} must be an object`);
      const atMs = time(event.at, `${where}.at`);
      if (event.raw !== undefined) {
        if (typeof event.raw !== 'string') return fail(`${where}.raw must be a string`);
        chunks.push({ bytes: Buffer.from(event.raw), atMs });
      } else if (event.raw_base64 !== undefined)
        chunks.push({ bytes: base64(event.raw_base64, `${where}.raw_base64`, fail), atMs });
      else if (event.data !== undefined)
        chunks.push({ bytes: Buffer.from(`data: ${jsonText(event.data, place)}\n\n`), atMs });
      else return fail(`${where} must have data or raw`);
    }
  }
  const headerList = headers(response, 'headers', 'response.headers');
  // A response that has anything was answered; 200 is what its recorder left out.
  const answered = status ?? (chunks.length > 0 || headerList.length > 0 ? 200 : undefined);
  const trailers = headers(response, 'trailers', 'response.trailers');
  return { status: answered, headers: headerList, chunks, trailers, end };
}

/** The event that `{"data": …}` stands for. */
export const sseOf = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const base64 = (value: unknown, where: string, fail: (what: string) => never): Uint8Array =>
  typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value)
    ? Buffer.from(value, 'base64')
    : fail(`${where} must be base64`);

/** A value of a line as JSON again: parsing goes to any depth, writing does not. */
export function jsonText(value: unknown, place: LinePlace): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    // The only thing that can be wrong with what came out of `JSON.parse`.
    if (!(cause instanceof RangeError)) throw cause;
    throw lineError(place, 'is nested too deeply', cause);
  }
}

export const lineError = ({ file, line }: LinePlace, what: string, cause?: unknown): PlugfestError =>
  new PlugfestError('PLUGFEST_IMPORT_FORMAT', `${file}:${line}: ${what}`, {
    hint: 'Each line is one exchange: {"from":…,"to":…,"request":{…},"response":{…}}.',
    ...(cause === undefined ? {} : { cause }),
  });
