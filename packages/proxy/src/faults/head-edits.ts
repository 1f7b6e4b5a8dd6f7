import { header, mediaType } from '@plugfest/model';
import type { ResponseAct } from './fault.ts';

/** Fields that tell the length or the digest of a body (RFC 9110 section 8.6, RFC 9530). */
const tellsBytes = new Set(['content-length', 'content-md5', 'digest', 'content-digest', 'repr-digest']);

type Recorded = ResponseAct['applied'];

export function removeFields(
  act: ResponseAct,
  names: ReadonlySet<string>,
  record: Recorded = act.applied,
): void {
  for (let i = act.headers.length - 2; i >= 0; i -= 2) {
    const where = act.headers[i] ?? '';
    if (!names.has(where.toLowerCase())) continue;
    const before = act.headers[i + 1] ?? '';
    act.headers.splice(i, 2);
    record({ place: 'header', where, before });
  }
}

export function addField(
  act: ResponseAct,
  where: string,
  after: string,
  record: Recorded = act.applied,
): void {
  act.headers.push(act.httpVersion === '2.0' ? where.toLowerCase() : where, after);
  record({ place: 'header', where, after });
}

/** Makes room for a body of another length: it ends by its framing. */
export function withoutLength(act: ResponseAct): void {
  // What follows an upgrade has no framing of HTTP.
  if (act.upgraded) return;
  const sized = header(act.headers, 'content-length') !== undefined;
  removeFields(act, tellsBytes, act.framed);
  if (sized && act.httpVersion === '1.1') addField(act, 'Transfer-Encoding', 'chunked', act.framed);
}

/** What makes a body unreadable without decoding; undefined where nothing does. */
export function codingOf(act: ResponseAct): string | undefined {
  const coding = header(act.headers, 'content-encoding')?.trim().toLowerCase();
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding;
}

export const isGrpc = (act: ResponseAct): boolean =>
  !act.upgraded && mediaType(header(act.headers, 'content-type')).startsWith('application/grpc');

export const isWebSocket = (act: ResponseAct): boolean =>
  act.upgraded && header(act.headers, 'upgrade')?.trim().toLowerCase() === 'websocket';

export const isEventStream = (act: ResponseAct): boolean =>
  !act.upgraded && mediaType(header(act.headers, 'content-type')) === 'text/event-stream';

const mostShown = 2000;

/** Bytes for a record: the original is in the exchange itself. */
export const shownBytes = (bytes: Buffer): string =>
  bytes.length <= mostShown
    ? bytes.toString('utf8')
    : `${bytes.subarray(0, mostShown).toString('utf8')}… (${bytes.length} bytes)`;
