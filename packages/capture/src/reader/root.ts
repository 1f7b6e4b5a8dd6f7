import type {
  CapturedBody,
  CapturedExchange,
  CapturedRequest,
  CapturedResponse,
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
    const facts = [id, seq, edge.id, cell ?? null, purpose, connection ?? null, lossBits(exchange)];
    const asked = `[${JSON.stringify(request.method)},${JSON.stringify(request.target)},${side(request)}]`;
    const answered =
      response === undefined
        ? 'null'
        : `[${response.status},${JSON.stringify(response.reason ?? null)},${side(response)}]`;
    const ended = [end.kind, end.atNs ?? null, end.detail ?? null];
    const changed = changes.map(({ side, place, where, before, after, reason }) => [
      side,
      place,
      where ?? null,
      before ?? null,
      after ?? null,
      reason,
    ]);
    this.#hash.text(
      `["exchange",${JSON.stringify(facts)},${asked},${answered},${JSON.stringify(ended)},${JSON.stringify(changed)}]\n`,
    );
    for (const chunk of request.body.chunks) this.#hash.bytes(chunk.bytes);
    if (response !== undefined) for (const chunk of response.body.chunks) this.#hash.bytes(chunk.bytes);
  }

  finish(): string {
    return `sha256:${this.#hash.take().toString('hex')}`;
  }
}

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
  return `${atNs},${JSON.stringify(httpVersion)},${lists},${bodyText(body)}`;
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
