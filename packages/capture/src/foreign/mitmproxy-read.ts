import type { EndKind, RawHeaders } from '@plugfest/model';
import { PlugfestError } from '@plugfest/model';
import type { ImportOptions } from '../formats/format.ts';
import type { ForeignBody, ForeignExchange } from './exchange.ts';
import { calleeName, callerName, kindOf } from './names.ts';
import { TnetError, type TnetValue, tnetValues } from './tnetstring.ts';

type Members = ReadonlyMap<string, TnetValue>;

/**
 * The HTTP exchanges of a mitmproxy flow file (`mitmdump -w`), flow versions 10 and later. It keeps bodies as they
 * were on the wire and trailers, but no times within a body. Flows of other protocols are left out.
 * @throws PlugfestError PLUGFEST_IMPORT_FORMAT
 */
export function readMitmproxy(bytes: Buffer, options: ImportOptions): readonly ForeignExchange[] {
  const exchanges: ForeignExchange[] = [];
  let flow = 0;
  try {
    for (const value of tnetValues(bytes)) {
      flow += 1;
      if (!(value instanceof Map)) throw refusal(options, `flow ${flow} is not a flow of mitmproxy`);
      const read = exchangeOf(value, options, flow);
      if (read !== undefined) exchanges.push(read);
    }
  } catch (error) {
    if (!(error instanceof TnetError)) throw error;
    throw refusal(options, `flow ${flow + 1}, byte ${error.offset}: ${error.message}`, error);
  }
  return exchanges;
}

function refusal({ file }: ImportOptions, what: string, cause?: unknown): PlugfestError {
  return new PlugfestError('PLUGFEST_IMPORT_FORMAT', `${file}: ${what}`, {
    hint: 'Give a file that `mitmdump -w FILE` or mitmproxy wrote.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function exchangeOf(flow: Members, options: ImportOptions, number: number): ForeignExchange | undefined {
  if (text(flow.get('type')) !== 'http') return undefined;
  const request = flow.get('request');
  if (!(request instanceof Map)) throw refusal(options, `flow ${number} has no request`);
  const response = flow.get('response');
  const answer = response instanceof Map ? response : undefined;
  const failure = flow.get('error');
  const startedMs = milliseconds(request.get('timestamp_start'));
  if (startedMs === undefined) throw refusal(options, `flow ${number}: request.timestamp_start is no time`);
  const method = text(request.get('method'));
  const headers = headersOf(request.get('headers'));
  const body = bodyOf(request);
  const port = request.get('port');
  const authority =
    text(request.get('authority')) ||
    `${text(request.get('host'))}${typeof port === 'number' ? `:${port}` : ''}`;
  const to = calleeName(authority, options.names);
  const kind = kindOf(to, method, body === 'lost' ? '' : startOf(body));
  const endedMs = answer === undefined ? undefined : milliseconds(answer.get('timestamp_end'));
  const lastMs = Math.max(
    ...[startedMs, endedMs ?? 0, milliseconds(request.get('timestamp_end')) ?? 0],
    ...[failure instanceof Map ? (milliseconds(failure.get('timestamp')) ?? 0) : 0],
  );
  return {
    from: callerName(peerOf(flow.get('client_conn')), kind, options.names),
    to,
    kind,
    startedMs,
    method,
    target: `${text(request.get('scheme')) || 'http'}://${authority}${text(request.get('path'))}`,
    httpVersion: versionOf(request.get('http_version')),
    headers,
    body,
    changes: [],
    response: answer && {
      atMs: milliseconds(answer.get('timestamp_start')) ?? lastMs,
      status: statusOf(answer, options, number),
      ...(text(answer.get('reason')) === '' ? {} : { reason: text(answer.get('reason')) }),
      httpVersion: versionOf(answer.get('http_version')),
      headers: headersOf(answer.get('headers')),
      body: bodyOf(answer),
      trailers: headersOf(answer.get('trailers')),
    },
    end: endOf(answer, failure),
    endedMs: lastMs,
    ...(failure instanceof Map ? { note: `mitmproxy: ${text(failure.get('msg'))}` } : {}),
    lost: ['chunk-times'],
  };
}

/** mitmproxy gives an answer its end only when it came whole; an error says who broke off. */
function endOf(answer: Members | undefined, failure: TnetValue | undefined): EndKind {
  if (failure instanceof Map)
    return /client disconnected/i.test(text(failure.get('msg'))) ? 'client-abort' : 'upstream-abort';
  return answer === undefined || milliseconds(answer.get('timestamp_end')) === undefined
    ? 'open'
    : 'complete';
}

function statusOf(answer: Members, options: ImportOptions, number: number): number {
  const status = answer.get('status_code');
  if (typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 999) return status;
  throw refusal(options, `flow ${number}: response.status_code is no HTTP status`);
}

const text = (value: TnetValue | undefined): string =>
  Buffer.isBuffer(value) ? value.toString('latin1') : typeof value === 'string' ? value : '';

function milliseconds(value: TnetValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value * 1000 : undefined;
}

/** `HTTP/1.1` or `HTTP/2.0`. */
const versionOf = (value: TnetValue | undefined): string => text(value).replace(/^HTTP\//i, '') || '1.1';

function headersOf(value: TnetValue | undefined): RawHeaders {
  if (!Array.isArray(value)) return [];
  return value.flatMap((pair: TnetValue) => (Array.isArray(pair) ? [text(pair[0]), text(pair[1])] : []));
}

/** `null` is what mitmproxy has of a body that it streamed through. */
function bodyOf(message: Members): ForeignBody {
  const content = message.get('content');
  if (!Buffer.isBuffer(content)) return 'lost';
  return { chunks: content.byteLength === 0 ? [] : [{ bytes: content }] };
}

const startOf = ({ chunks }: Exclude<ForeignBody, 'lost'>): string =>
  Buffer.from(chunks[0]?.bytes.subarray(0, 4096) ?? []).toString('utf8');

function peerOf(connection: TnetValue | undefined): string | undefined {
  if (!(connection instanceof Map)) return undefined;
  const peer = connection.get('peername') ?? connection.get('address');
  return Array.isArray(peer) ? text(peer[0]) || undefined : undefined;
}
