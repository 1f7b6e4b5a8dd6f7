import { isJsonObject, type Json, type ProtocolVersion } from '@plugfest/model';
import type { HttpExampleExchange } from '../example.ts';
import { cardVersions } from './cards.ts';
import { Untranslatable, untranslatable } from './codec.ts';
import { isCardFetch, placeOfCard, readCardFetch, writeCardFetch } from './plain-http.ts';
import { readRest, writeRest } from './rest.ts';

/** Words that only 1.0 has. */
const modern = /TASK_STATE_|ROLE_|statusUpdate|artifactUpdate|supportedInterfaces|"text"|"task"|"message"/;

/** A card fetch or a delivery in another version, where what is wrong is no object of either. */
export function withinPlainHttp(
  exchange: HttpExampleExchange,
  source: ProtocolVersion,
  version: ProtocolVersion,
): HttpExampleExchange | undefined {
  if (!isCardFetch(exchange)) return source === '0.3' && version === '0.2' ? exchange : undefined;
  const { request, response } = exchange;
  const moved = { ...exchange, request: { ...request, url: placeOfCard(request.url, version) } };
  if (source === '0.3' && version === '0.2' && isJsonObject(response?.body)) {
    const body = { ...response.body, protocolVersion: cardVersions['0.2'] };
    return { ...moved, response: { ...response, body } };
  }
  const said = response?.body_raw ?? JSON.stringify(response?.body ?? '');
  if (!modern.test(said) && !said.includes('"protocolVersion"')) return moved;
  return withOwnHead(exchange, moved, version);
}

/** The card is sound, and only the head of the answer is not. */
function withOwnHead(
  exchange: HttpExampleExchange,
  moved: HttpExampleExchange,
  version: ProtocolVersion,
): HttpExampleExchange | undefined {
  const { response } = exchange;
  if (response?.body === undefined) return undefined;
  const usual = { ...response, headers: { 'Content-Type': 'application/json' } };
  const written = writeCardFetch(readCardFetch({ ...exchange, response: usual }), version);
  return { ...moved, response: { ...response, ...bodyOf(written) } };
}

const bodyOf = ({ response }: HttpExampleExchange): { readonly body?: Json } =>
  response?.body === undefined ? {} : { body: response.body };

const labels = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  headers['Content-Type'] === 'application/a2a+json'
    ? { ...headers, 'Content-Type': 'application/json' }
    : headers;

/** A 1.0 call over HTTP+JSON in 0.3, where bytes, status or framing of the answer are at fault: they stay. */
export function withinRest(exchange: HttpExampleExchange): HttpExampleExchange | undefined {
  const { response } = exchange;
  if (response === undefined) return undefined;
  const { response: _faulty, ...asked } = exchange;
  const call = readRest(asked);
  if (call === undefined) return undefined;
  const { request } = writeRest(call, '0.3');
  const sse = response.sse?.map((event) => {
    if ('data' in event) return { ...event, ...dataOf(call, event.data) };
    if ('raw' in event && !modern.test(event.raw)) return event;
    return untranslatable('bytes of one version');
  });
  const said = response.body_raw ?? JSON.stringify(response.body ?? '');
  if (modern.test(said)) return undefined;
  return {
    ...exchange,
    request,
    response: { ...response, headers: labels(response.headers), ...(sse === undefined ? {} : { sse }) },
  };
}

function dataOf(call: NonNullable<ReturnType<typeof readRest>>, data: Json): { readonly data: Json } {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { data };
  const item = data as Record<string, Json>;
  const answer = { kind: 'stream', items: [item], times: [], end: 'closed' } as const;
  const [written] = writeRest({ ...call, answer }, '0.3').response?.sse ?? [];
  if (written === undefined || !('data' in written)) throw new Untranslatable('no event');
  return { data: written.data };
}
