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
    // Written piece by piece: put together, the text would be copied twice more.
    this.#side(`["exchange",${facts},[${word(request.method)},${JSON.stringify(request.target)},`, request);
    if (response === undefined) this.#hash.text('],null');
    else this.#side(`],[${response.status},${word(response.reason)},`, response);
    const ended = `[${word(end.kind)},${end.atNs ?? null},${word(end.detail)}]`;
    const changed = changes.length === 0 ? '[]' : changesText(changes);
    this.#hash.text(`${response === undefined ? '' : ']'},${ended},${changed}]\n`);
    for (const chunk of request.body.chunks) this.#hash.bytes(chunk.bytes);
    if (response !== undefined) for (const chunk of response.body.chunks) this.#hash.bytes(chunk.bytes);
  }

  /** What request and response have in common, as the last members of an array in JSON. */
  #side(before: string, side: CapturedRequest | CapturedResponse): void {
    const { atNs, httpVersion, headers, forwardedHeaders, trailers, body } = side;
    this.#hash.text(`${before}${atNs},${word(httpVersion)},`);
    this.#hash.bytes(listBytes(headers));
    if (forwardedHeaders === undefined && trailers === undefined) this.#hash.text(',null,null,');
    else {
      this.#hash.text(',');
      this.#hash.bytes(listBytes(forwardedHeaders));
      this.#hash.text(',');
      this.#hash.bytes(listBytes(trailers));
      this.#hash.text(',');
    }
    this.#hash.text(bodyText(body));
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

/** JSON of header fields, which exchanges share. */
const listsInBytes = new WeakMap<RawHeaders, Buffer>();
const noList = Buffer.from('null');

function listBytes(headers: RawHeaders | undefined): Buffer {
  if (headers === undefined) return noList;
  const known = listsInBytes.get(headers);
  if (known !== undefined) return known;
  const bytes = Buffer.from(JSON.stringify(headers));
  listsInBytes.set(headers, bytes);
  return bytes;
}

function bodyText({ chunks, totalBytes, storedBytes, endedAtNs }: CapturedBody): string {
  let placed = '';
  for (const { seq, atNs, bytes } of chunks)
    placed += `${placed === '' ? '' : ','}[${seq},${atNs},${bytes.byteLength}]`;
  return `[${totalBytes},${storedBytes},${endedAtNs ?? null},[${placed}]]`;
}
