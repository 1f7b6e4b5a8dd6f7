import type { CapturedBody, CapturedExchange, Gap } from '@plugfest/model';

/** What Plugfest stored of a body of which more had crossed: `bytes` of it. */
export function storedPart(body: CapturedBody, bytes: number): CapturedBody {
  let left = bytes;
  const chunks = [];
  for (const chunk of body.chunks) {
    if (left <= 0) break;
    chunks.push({ ...chunk, bytes: chunk.bytes.subarray(0, left) });
    left -= chunk.bytes.length;
  }
  return { ...body, chunks, storedBytes: Math.min(bytes, body.totalBytes) };
}

/** The recording ended when so much of a body had crossed. */
function openAfter(body: CapturedBody, bytes: number): CapturedBody {
  const { endedAtNs: _, ...open } = storedPart(body, bytes);
  return { ...open, totalBytes: open.storedBytes };
}

export type Cut = (exchange: CapturedExchange, bytes: number) => CapturedExchange;

export const cuts: Readonly<Record<string, Cut>> = {
  'stored bytes of a response end early': (exchange, bytes) =>
    withResponse(exchange, (body) => storedPart(body, bytes)),
  'stored bytes of a request end early': ({ request, ...rest }, bytes) => ({
    ...rest,
    request: { ...request, body: storedPart(request.body, bytes) },
  }),
  'the recording ends within a response': (exchange, bytes) => {
    const { response, ...rest } = withResponse(exchange, (body) => openAfter(body, bytes));
    if (response === undefined) return exchange;
    const { trailers: _, ...begun } = response;
    return { ...rest, response: begun, end: { kind: 'open' } };
  },
};

export function withResponse(
  exchange: CapturedExchange,
  change: (body: CapturedBody) => CapturedBody,
): CapturedExchange {
  const { response } = exchange;
  return response === undefined
    ? exchange
    : { ...exchange, response: { ...response, body: change(response.body) } };
}

export const gapAt = (atNs: number): Gap => ({ atNs, reason: 'queue-full' });

/** Losses at each moment of which the capture tells, and right after it. */
export const everywhere = (captured: readonly CapturedExchange[]): readonly Gap[] =>
  captured
    .flatMap(({ request, response, end }) => [
      request.atNs,
      ...(response?.body.chunks.map(({ atNs }) => atNs) ?? []),
      end.atNs ?? request.atNs,
    ])
    .flatMap((atNs) => [gapAt(atNs), gapAt(atNs + 1)]);
