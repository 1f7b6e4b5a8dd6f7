import type { CapturedBody, CapturedExchange, CaptureSource, RawHeaders } from '@plugfest/model';
import { globMatches, header } from '@plugfest/model';
import { decodedBody } from './decoded.ts';

/** Which exchanges of a capture are written; all where nothing is said. */
export interface Selection {
  /** A glob over the ids of cells. */
  readonly cell?: string | undefined;
  /** An id of a task, or any other text: what mentions it in its URL or in a body. */
  readonly task?: string | undefined;
  /** An id of an exchange. */
  readonly exchange?: string | undefined;
}

/** The same capture with the exchanges selected only. */
export function selected(source: CaptureSource, { cell, task, exchange }: Selection): CaptureSource {
  if (cell === undefined && task === undefined && exchange === undefined) return source;
  const wanted = task === undefined ? undefined : Buffer.from(task);
  return {
    info: source.info,
    participants: () => source.participants(),
    edges: () => source.edges(),
    *exchanges(): Generator<CapturedExchange> {
      for (const each of source.exchanges()) {
        if (exchange !== undefined && each.id !== exchange) continue;
        if (cell !== undefined && (each.cell === undefined || !globMatches(cell, each.cell))) continue;
        if (wanted !== undefined && !mentions(each, wanted)) continue;
        yield each;
      }
    },
    gaps: () => source.gaps(),
    notes: () => source.notes(),
    close: () => source.close(),
  };
}

/** JSON, URLs and protobuf have an id as it is. */
function mentions({ request, response }: CapturedExchange, text: Buffer): boolean {
  const inBody = (
    side: { readonly headers: RawHeaders; readonly body: CapturedBody } | undefined,
  ): boolean => {
    if (side === undefined) return false;
    const raw = Buffer.concat(side.body.chunks.map(({ bytes }) => bytes));
    return (decodedBody(raw, header(side.headers, 'content-encoding')) ?? raw).includes(text);
  };
  return Buffer.from(request.target).includes(text) || inBody(request) || inBody(response);
}
