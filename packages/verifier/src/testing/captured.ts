import type { CapturedBody, CapturedExchange, CellId, EdgeId, ExchangeId, Purpose } from '@plugfest/model';
import type { HttpExampleExchange } from '../examples/example.ts';

/** Distance of two exchanges of a test; the answer comes after a tenth of it. */
export const secondNs = 1_000_000_000;

function body(text: string, seq: number, atNs: number): CapturedBody {
  const bytes = Buffer.from(text);
  const chunks = bytes.length === 0 ? [] : [{ seq, atNs, bytes }];
  return { chunks, totalBytes: bytes.length, storedBytes: bytes.length, endedAtNs: atNs };
}

const textOf = (part: { readonly body?: unknown; readonly body_raw?: string }): string =>
  part.body_raw ?? (part.body === undefined ? '' : JSON.stringify(part.body));

/** Exchanges as a capture would give them, one each second. Calls to the webhook receiver are deliveries. */
export function captured(
  exchanges: readonly HttpExampleExchange[],
  more: { readonly cell?: string; readonly purpose?: Purpose } = {},
): readonly CapturedExchange[] {
  return exchanges.map(({ from, to, purpose = 'normal', request, response }, index) => {
    const seq = index * 10;
    const atNs = index * secondNs;
    const answeredNs = atNs + secondNs / 10;
    const url = new URL(request.url);
    const sse = response?.sse?.map((event) =>
      'data' in event ? `data: ${JSON.stringify(event.data)}\n\n` : 'raw' in event ? event.raw : '',
    );
    return {
      id: `x${index}` as ExchangeId,
      seq,
      edge: {
        id: `${from}>${to}` as EdgeId,
        caller: from,
        callee: to,
        kind: to === 'webhook receiver' ? 'webhook' : 'a2a',
        mode: 'import',
      },
      ...(more.cell === undefined ? {} : { cell: more.cell as CellId }),
      purpose: more.purpose ?? purpose,
      request: {
        atNs,
        method: request.method,
        target: url.pathname + url.search,
        httpVersion: '1.1',
        headers: ['Host', url.host, ...Object.entries(request.headers).flat()],
        body: body(textOf(request), seq + 1, atNs),
      },
      ...(response === undefined
        ? {}
        : {
            response: {
              atNs: answeredNs,
              status: response.status,
              httpVersion: '1.1',
              headers: Object.entries(response.headers).flat(),
              body: body(sse?.join('') ?? textOf(response), seq + 2, answeredNs),
            },
          }),
      end: { kind: 'complete', atNs: answeredNs },
      changes: [],
    };
  });
}
