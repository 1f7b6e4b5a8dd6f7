import type { EndKind, JsonObject, RawHeaders } from '@plugfest/model';
import { header, isJsonObject, mediaType, PlugfestError } from '@plugfest/model';
import type { ImportOptions } from '../formats/format.ts';
import { headOfDecodedBody, isEncoded } from './decoded-body.ts';
import type { ForeignBody, ForeignExchange } from './exchange.ts';
import { harExtension, harParticipants } from './har-extension.ts';
import { authorityOf, calleeName, callerName, kindOf } from './names.ts';
import type { ParticipantKinds } from './record.ts';

/** Where something in the file lies, e.g. `log.entries[3].request`. */
type Place = string;

/**
 * The exchanges of a HAR 1.2 file, of a browser, mitmproxy or Plugfest. HAR keeps no times within a body, no trailers
 * and not how a stream ended, and most writers keep bodies decoded.
 * @throws PlugfestError PLUGFEST_IMPORT_FORMAT
 */
export function readHar(
  value: unknown,
  options: ImportOptions,
): { readonly exchanges: readonly ForeignExchange[]; readonly kinds: ParticipantKinds } {
  const reader = new HarReader(options);
  const log = reader.object(value, 'log', '');
  const { entries } = log;
  if (!Array.isArray(entries)) return reader.fail('log.entries', 'must be an array');
  const exchanges = entries.map((entry, index) => reader.entry(entry, `log.entries[${index}]`));
  return { exchanges, kinds: harParticipants(log) };
}

class HarReader {
  readonly #options: ImportOptions;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  fail(place: Place, what: string): never {
    throw new PlugfestError('PLUGFEST_IMPORT_FORMAT', `${this.#options.file}: ${place}: ${what}`, {
      hint: 'Give a HAR 1.2 file: {"log":{"entries":[{"startedDateTime":…,"request":{…},"response":{…}}]}}.',
    });
  }

  object(of: unknown, name: string, place: Place): JsonObject {
    const found = isJsonObject(of) ? of[name] : undefined;
    return isJsonObject(found) ? found : this.fail(join(place, name), 'must be an object');
  }

  entry(value: unknown, place: Place): ForeignExchange {
    if (!isJsonObject(value)) return this.fail(place, 'must be an object');
    const request = this.object(value, 'request', place);
    const response = this.object(value, 'response', place);
    const own = harExtension(value, (where, what) => this.fail(join(place, where), what));
    const startedMs = own?.atMs ?? this.#time(value.startedDateTime, `${place}.startedDateTime`);
    const endedMs = startedMs + Math.max(0, own?.lastsMs ?? numberOr(value.time, 0));
    const method = this.#text(request.method, `${place}.request.method`);
    const url = this.#text(request.url, `${place}.request.url`);
    const sent = this.#requestBody(request, `${place}.request`);
    const body = own?.request ?? sent;
    const authority = authorityOf(url) ?? this.fail(`${place}.request.url`, 'must be an absolute URL');
    const to = own?.to ?? calleeName(authority, this.#options.names);
    const kind = own?.kind ?? kindOf(to, method, sent === 'lost' ? '' : startOf(sent));
    const requestHeaders = this.#headers(request.headers, `${place}.request.headers`);
    const answered = this.#response(response, `${place}.response`, {
      atMs: endedMs - Math.max(0, receiveMs(value)),
      own: own?.response,
      trailers: own?.trailers,
    });
    const lost: ForeignExchange['lost'] = own === undefined ? ['chunk-times', 'trailers'] : own.lost;
    return {
      from: own?.from ?? callerName(undefined, kind, this.#options.names),
      to,
      kind,
      ...(own === undefined ? {} : { purpose: own.purpose }),
      ...(own?.cell === undefined ? {} : { cell: own.cell }),
      startedMs,
      method,
      target: own?.target ?? url,
      httpVersion: httpVersionOf(request.httpVersion),
      headers: requestHeaders,
      body,
      changes: [...(own?.changes ?? []), ...(answered?.changes ?? [])],
      response: answered?.response,
      end: own?.end ?? endOf(answered?.response),
      endedMs,
      lost,
    };
  }

  #response(
    response: JsonObject,
    place: Place,
    more: {
      readonly atMs: number;
      readonly own: ForeignBody | undefined;
      readonly trailers: RawHeaders | undefined;
    },
  ):
    | {
        readonly response: NonNullable<ForeignExchange['response']>;
        readonly changes: ForeignExchange['changes'];
      }
    | undefined {
    const { status, statusText, content } = response;
    // What browsers write for a request that was never answered.
    if (status === 0 || status === -1) return undefined;
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 999)
      return this.fail(`${place}.status`, 'must be a number from 100 to 999, or 0 where there was no answer');
    const given = this.#headers(response.headers, `${place}.headers`);
    const kept = isJsonObject(content) ? content : {};
    const { body, decoded } = this.#responseBody(kept, given, `${place}.content`);
    const { headers, changes } =
      more.own === undefined && decoded
        ? headOfDecodedBody(given, 'response')
        : { headers: given, changes: [] };
    return {
      response: {
        atMs: more.atMs,
        status,
        ...(typeof statusText === 'string' && statusText !== '' ? { reason: statusText } : {}),
        httpVersion: httpVersionOf(response.httpVersion),
        headers,
        body: more.own ?? body,
        ...(more.trailers === undefined ? {} : { trailers: more.trailers }),
      },
      changes,
    };
  }

  #requestBody(request: JsonObject, place: Place): ForeignBody {
    const { postData, bodySize } = request;
    if (postData === undefined || postData === null)
      return typeof bodySize === 'number' && bodySize > 0 ? 'lost' : { chunks: [] };
    if (!isJsonObject(postData)) return this.fail(`${place}.postData`, 'must be an object');
    return this.#text64(postData, `${place}.postData`) ?? 'lost';
  }

  #responseBody(
    content: JsonObject,
    headers: RawHeaders,
    place: Place,
  ): { readonly body: ForeignBody; readonly decoded: boolean } {
    const body = this.#text64(content, place);
    if (body !== undefined && !(isStream(content) && body.chunks.length === 0)) {
      const isRaw = isEncoded(headers) && content.encoding === 'base64' && isCompressed(body);
      return { body, decoded: !isRaw };
    }
    const isEmpty = !(typeof content.size === 'number' && content.size > 0);
    // A browser's export without contents still says how long each was; a stream's may say nothing at all.
    return { body: isEmpty && !isStream(content) ? { chunks: [] } : 'lost', decoded: true };
  }

  /** `text`, which is base64 where `encoding` says so. */
  #text64(of: JsonObject, place: Place): Exclude<ForeignBody, 'lost'> | undefined {
    const { text, encoding } = of;
    if (text === undefined || text === null) return undefined;
    if (typeof text !== 'string') return this.fail(`${place}.text`, 'must be a string');
    if (encoding === 'base64' && !/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(text))
      return this.fail(`${place}.text`, 'must be base64, as `encoding` says');
    const bytes = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
    return { chunks: bytes.byteLength === 0 ? [] : [{ bytes }] };
  }

  #headers(value: unknown, place: Place): RawHeaders {
    if (!Array.isArray(value)) return this.fail(place, 'must be an array of {name, value}');
    return value.flatMap((each, index) => {
      if (!isJsonObject(each) || typeof each.name !== 'string' || typeof each.value !== 'string')
        return this.fail(`${place}[${index}]`, 'must have a name and a value');
      // HTTP/2 pseudo-headers, which browsers list here.
      return each.name.startsWith(':') ? [] : [each.name, each.value];
    });
  }

  #text(value: unknown, place: Place): string {
    return typeof value === 'string' && value !== ''
      ? value
      : this.fail(place, 'must be a string that is not empty');
  }

  #time(value: unknown, place: Place): number {
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(ms) ? this.fail(place, 'must be an ISO 8601 time') : ms;
  }
}

const join = (place: Place, name: string): Place => (place === '' ? name : `${place}.${name}`);

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;

/** How long the answer took to arrive, in ms. */
function receiveMs(entry: JsonObject): number {
  return isJsonObject(entry.timings) ? numberOr(entry.timings.receive, 0) : 0;
}

function startOf(body: Exclude<ForeignBody, 'lost'>): string {
  const [first] = body.chunks;
  return first === undefined ? '' : Buffer.from(first.bytes.subarray(0, 4096)).toString('utf8');
}

function isStream(content: JsonObject): boolean {
  return typeof content.mimeType === 'string' && mediaType(content.mimeType) === 'text/event-stream';
}

/** `HTTP/1.1`, `h2`, `http/2.0`, … as a number. */
function httpVersionOf(value: unknown): string {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  const digits = /(\d)(?:\.(\d))?$/.exec(text);
  return digits === null ? '1.1' : `${digits[1]}.${digits[2] ?? '0'}`;
}

/** HAR does not say whether a stream ended by itself or was broken off; of other bodies their writers have the whole. */
function endOf(response: ForeignExchange['response']): EndKind {
  if (response === undefined) return 'reset';
  return mediaType(header(response.headers, 'content-type')) === 'text/event-stream' ? 'open' : 'complete';
}

/** Whether bytes begin as gzip, zlib or Zstandard data; Brotli has no mark. */
function isCompressed(body: Exclude<ForeignBody, 'lost'>): boolean {
  const [first, second] = body.chunks[0]?.bytes ?? [];
  return (first === 0x1f && second === 0x8b) || first === 0x78 || (first === 0x28 && second === 0xb5);
}
