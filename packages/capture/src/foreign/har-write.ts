import { isUtf8 } from 'node:buffer';
import type { CapturedBody, CapturedExchange, CaptureSource, RawHeaders } from '@plugfest/model';
import { header } from '@plugfest/model';
import { absoluteUrl } from '../absolute-url.ts';
import { decodedBody } from '../formats/decoded.ts';
import { webSocketMessages, webSocketSummary } from '../websocket/messages.ts';
import type { HarChunks } from './har-extension.ts';

/** A capture as HAR 1.2. What HAR has no place for is in the member `_plugfest` of each entry. */
export function* writeHar(source: CaptureSource, creator: string): Generator<string> {
  const startMs = Date.parse(source.info.startedAt);
  const head = { version: '1.2', creator: { name: 'Plugfest', version: creator } };
  const participants = source.participants().map(({ name, kind }) => ({ name, kind }));
  yield `{"log":${JSON.stringify({ ...head, _plugfest: { participants } }).slice(0, -1)},"entries":[`;
  let comma = '';
  for (const exchange of source.exchanges()) {
    yield `${comma}\n${textOfEntry(exchange, startMs)}`;
    comma = ',';
  }
  yield '\n]}}\n';
}

/** An entry, without what would make it longer than a text can be: what is decoded, and then the bytes themselves. */
function textOfEntry(exchange: CapturedExchange, startMs: number): string {
  for (const without of ['nothing', 'decoded'] as const) {
    try {
      return JSON.stringify(entryOf(exchange, startMs, without));
    } catch (error) {
      if (!isTooLong(error)) throw error;
    }
  }
  return JSON.stringify(entryOf(exchange, startMs, 'bytes'));
}

const isTooLong = (error: unknown): boolean =>
  (error instanceof RangeError && /string length/.test(error.message)) ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_STRING_TOO_LONG');

const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

function entryOf(
  exchange: CapturedExchange,
  startMs: number,
  without: 'nothing' | 'decoded' | 'bytes',
): object {
  const { request, response, edge, end, changes, lost = [], timesSynthetic, purpose, cell } = exchange;
  const ms = (ns: number): number => (ns - request.atNs) / 1e6;
  const ended = Math.max(request.atNs, end.atNs ?? 0, response?.body.endedAtNs ?? 0, response?.atNs ?? 0);
  const wait = ms(response?.atNs ?? ended);
  const chunksOf = ({ chunks }: CapturedBody): HarChunks =>
    chunks.map(({ atNs, bytes }) => [ms(atNs), Buffer.from(bytes).toString('base64')]);
  const whole = (body: CapturedBody): boolean => without !== 'bytes' && body.storedBytes === body.totalBytes;
  const shown = without === 'nothing';
  const messages = webSocketMessages(exchange);
  return {
    startedDateTime: new Date(startMs + request.atNs / 1e6).toISOString(),
    time: ms(ended),
    request: {
      method: request.method,
      url: urlOf(exchange),
      httpVersion: `HTTP/${request.httpVersion}`,
      headers: headersOf(request.headers),
      queryString: queryOf(urlOf(exchange)),
      cookies: [],
      headersSize: -1,
      bodySize: request.body.totalBytes,
      ...(request.body.totalBytes === 0 || messages !== undefined
        ? {}
        : {
            postData: {
              mimeType: header(request.headers, 'content-type') ?? '',
              ...(shown ? textOf(request) : tooLong),
            },
          }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: response?.reason ?? '',
      httpVersion: `HTTP/${response?.httpVersion ?? request.httpVersion}`,
      headers: headersOf(response?.headers ?? []),
      cookies: [],
      content: {
        size: response?.body.totalBytes ?? 0,
        mimeType: header(response?.headers ?? [], 'content-type') ?? '',
        ...(response === undefined || response.body.totalBytes === 0 || messages !== undefined
          ? {}
          : shown
            ? textOf(response)
            : tooLong),
      },
      redirectURL: header(response?.headers ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: response?.body.totalBytes ?? 0,
    },
    cache: {},
    timings: { send: 0, wait, receive: ms(ended) - wait },
    // As browsers have it; HAR itself has no place for messages.
    ...(messages === undefined
      ? {}
      : {
          comment: `${webSocketSummary(exchange)}${shown ? '' : '; messages are too long for HAR'}`,
          _resourceType: 'websocket',
          _webSocketMessages: (shown ? messages : []).map(({ side, kind, bytes, atNs }) => ({
            type: side === 'request' ? 'send' : 'receive',
            time: (startMs + atNs / 1e6) / 1000,
            opcode: opcodes[kind],
            data: kind === 'text' ? bytes.toString('utf8') : bytes.toString('base64'),
          })),
        }),
    _plugfest: {
      from: edge.caller,
      to: edge.callee,
      kind: edge.kind,
      purpose,
      ...(cell === undefined ? {} : { cell }),
      at: startMs + request.atNs / 1e6,
      lasts: ms(ended),
      target: request.target,
      end: end.kind,
      lost: [...lost, ...(timesSynthetic ? ['times'] : [])],
      changes,
      request: whole(request.body) ? chunksOf(request.body) : 'lost',
      ...(response === undefined
        ? {}
        : { response: whole(response.body) ? chunksOf(response.body) : 'lost' }),
      ...(response?.trailers === undefined ? {} : { trailers: response.trailers }),
    },
  };
}

const tooLong = { comment: 'it is too long for HAR' };

/** HAR wants absolute URLs, also where nothing but the callee's name is known. */
function urlOf(exchange: CapturedExchange): string {
  const url = absoluteUrl(exchange);
  return url.startsWith('/') ? `http://${exchange.edge.callee}${url}` : url;
}

function queryOf(url: string): readonly object[] {
  if (!URL.canParse(url)) return [];
  return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
}

function headersOf(headers: RawHeaders): readonly object[] {
  const list: object[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) list.push({ name: headers[i], value: headers[i + 1] });
  return list;
}

/** The body as readers of HAR expect it: decoded, and base64 where it is no text. */
function textOf({ headers, body }: { readonly headers: RawHeaders; readonly body: CapturedBody }): object {
  const raw = Buffer.concat(body.chunks.map(({ bytes }) => bytes));
  const bytes = decodedBody(raw, header(headers, 'content-encoding')) ?? raw;
  return isUtf8(bytes)
    ? { text: bytes.toString('utf8') }
    : { text: bytes.toString('base64'), encoding: 'base64' };
}
