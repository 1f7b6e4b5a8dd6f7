import type {
  CapturedBody,
  CapturedExchange,
  CapturedRequest,
  CapturedResponse,
  Change,
  RawHeaders,
} from '@plugfest/model';
import { GatheringHash } from '../gathering-hash.ts';
import { lossBits } from '../losses.ts';

/**
 * The root of a capture: SHA-256 over everything a `CaptureSource` yields, in the order of observation. Each record is
 * a line of JSON with a fixed order of members; an exchange's line is followed by the bytes of its chunks. Pages,
 * indexes, spans and the way records were batched do not enter it.
 */
export class RootHash {
  readonly #hash = new GatheringHash();

  /** A record that is not an exchange. */
  add(kind: string, record: unknown): void {
    this.#hash.text(`${JSON.stringify([kind, record])}\n`);
  }

  exchange(exchange: CapturedExchange): void {
    const { id, seq, edge, cell, purpose, connection, request, response, end, changes } = exchange;
    const between = `${word(edge.id)},${word(cell)},${word(purpose)},${word(connection)}`;
    const facts = `[${JSON.stringify(id)},${seq},${between},${lossBits(exchange)}]`;
    const asked = `[${word(request.method)},${JSON.stringify(request.target)},${side(request)}]`;
    const answered =
      response === undefined ? 'null' : `[${response.status},${word(response.reason)},${side(response)}]`;
    const ended = `[${word(end.kind)},${end.atNs ?? null},${word(end.detail)}]`;
    const changed = changes.length === 0 ? '[]' : changesText(changes);
    this.#hash.text(`["exchange",${facts},${asked},${answered},${ended},${changed}]\n`);
    for (const chunk of request.body.chunks) this.#hash.bytes(chunk.bytes);
    if (response !== undefined) for (const chunk of response.body.chunks) this.#hash.bytes(chunk.bytes);
  }

  finish(): string {
    return `sha256:${this.#hash.take().toString('hex')}`;
  }
}

/** JSON of short texts that most exchanges have in common: method, version, edge. */
const words = new Map<string, string>();
const [keptWords, longestWord] = [1024, 64];

function word(text: string | undefined): string {
  if (text === undefined) return 'null';
  const known = words.get(text);
  if (known !== undefined) return known;
  const json = JSON.stringify(text);
  if (words.size < keptWords && text.length <= longestWord) words.set(text, json);
  return json;
}

const changesText = (changes: readonly Change[]): string =>
  JSON.stringify(
    changes.map(({ side, place, where, before, after, reason }) => [
      side,
      place,
      where ?? null,
      before ?? null,
      after ?? null,
      reason,
    ]),
  );

/** What request and response have in common, as members of an array in JSON. */
function side({
  atNs,
  httpVersion,
  headers,
  forwardedHeaders,
  trailers,
  body,
}: CapturedRequest | CapturedResponse): string {
  const lists = `${listText(headers)},${listText(forwardedHeaders)},${listText(trailers)}`;
  return `${atNs},${word(httpVersion)},${lists},${bodyText(body)}`;
}

/** JSON of header fields, which exchanges share. */
const listTexts = new WeakMap<RawHeaders, string>();

function listText(headers: RawHeaders | undefined): string {
  if (headers === undefined) return 'null';
  const known = listTexts.get(headers);
  if (known !== undefined) return known;
  const text = JSON.stringify(headers);
  listTexts.set(headers, text);
  return text;
}

function bodyText({ chunks, totalBytes, storedBytes, endedAtNs }: CapturedBody): string {
  let placed = '';
  for (const { seq, atNs, bytes } of chunks)
    placed += `${placed === '' ? '' : ','}[${seq},${atNs},${bytes.byteLength}]`;
  return `[${totalBytes},${storedBytes},${endedAtNs ?? null},[${placed}]]`;
}
