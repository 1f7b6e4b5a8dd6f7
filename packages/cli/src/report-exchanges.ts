import type { DecodedExchange } from '@plugfest/a2a';
import type { CapturedExchange, RawHeaders, ReportExchange } from '@plugfest/model';

/** Longest body text that a report shows, in characters; the capture has all of it. */
const shownCharacters = 16_384;

function headText(firstLine: string, headers: RawHeaders): string {
  const lines = [firstLine];
  for (let i = 0; i + 1 < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return lines.join('\n');
}

function bounded(text: string): { readonly body: string; readonly truncated: boolean } {
  return text.length <= shownCharacters
    ? { body: text, truncated: false }
    : { body: text.slice(0, shownCharacters), truncated: true };
}

function streamText(exchange: DecodedExchange): string {
  return (exchange.response?.events ?? [])
    .map(
      ({ eventName, json }) =>
        `${eventName === undefined ? '' : `event: ${eventName}\n`}data: ${json.text}\n`,
    )
    .join('\n');
}

function labelOf(exchange: DecodedExchange): string {
  const { captured, operation, kind } = exchange;
  if (operation !== undefined) return operation;
  if (kind === 'card') return 'agent card';
  if (kind === 'webhook') return 'push delivery';
  return `${captured.request.method} ${captured.request.target}`;
}

function lastSeenNs({ request, response, end }: CapturedExchange): number {
  return end.atNs ?? response?.body.chunks.at(-1)?.atNs ?? response?.atNs ?? request.atNs;
}

/** An exchange as reports show it. */
export function reportExchange(exchange: DecodedExchange): ReportExchange {
  const { captured } = exchange;
  const { request, response, edge } = captured;
  const round = (ns: number): number => Math.round(ns / 1e4) / 100;
  return {
    id: captured.id,
    seq: captured.seq,
    ...(captured.cell === undefined ? {} : { cell: captured.cell }),
    caller: edge.caller,
    callee: edge.callee,
    kind: exchange.kind,
    atMs: round(request.atNs),
    durationMs: round(lastSeenNs(captured) - request.atNs),
    label: labelOf(exchange),
    ...(response === undefined ? {} : { status: response.status }),
    end: captured.end.kind,
    request: {
      head: headText(`${request.method} ${request.target} HTTP/${request.httpVersion}`, request.headers),
      ...bounded(exchange.request.json.text),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            head: headText(
              `HTTP/${response.httpVersion} ${response.status} ${response.reason ?? ''}`.trim(),
              response.headers,
            ),
            ...bounded(
              exchange.response?.events === undefined
                ? (exchange.response?.json.text ?? '')
                : streamText(exchange),
            ),
          },
        }),
  };
}
