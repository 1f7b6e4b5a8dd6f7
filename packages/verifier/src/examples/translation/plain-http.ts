import { isJsonObject, type Json, type JsonObject, type ProtocolVersion } from '@plugfest/model';
import type { HttpExampleExchange } from '../example.ts';
import { legacyCard, modernCard } from './cards.ts';
import { objectOf, present, untranslatable } from './codec.ts';
import { extraHeaders } from './headers.ts';
import { legacyPayload } from './legacy.ts';
import type { CardFetch, Delivery } from './meaning.ts';
import { type OldestConversation, oldestEvent, oldestTask } from './oldest.ts';

/** Card fetches and deliveries: plain HTTP, whatever the binding of the calls. */

const wellKnown = '/.well-known/agent-card.json';
/** 0.1 and 0.2 section 5.3. */
const oldWellKnown = '/.well-known/agent.json';

const partiesOf = ({ from, to, at, purpose }: HttpExampleExchange) => ({
  from,
  to,
  ...(at === undefined ? {} : { at }),
  ...(purpose === undefined ? {} : { purpose }),
});

export function readCardFetch(exchange: HttpExampleExchange): CardFetch {
  const { request, response } = exchange;
  if (response === undefined || request.body !== undefined || request.body_raw !== undefined)
    return untranslatable('no answer');
  const { status, body, body_raw: raw, body_base64: bytes, end } = response;
  if (raw !== undefined || bytes !== undefined || end !== undefined) return untranslatable('a card as bytes');
  const { 'Content-Type': type, ...responseHeaders } = response.headers;
  if (type !== 'application/json') return untranslatable('a label of its own');
  return {
    kind: 'card',
    parties: partiesOf(exchange),
    url: request.url,
    headers: extraHeaders(request.headers, { Accept: 'application/json' }),
    status,
    responseHeaders,
    card: readCard(body),
  };
}

function readCard(body: Json | undefined): JsonObject | undefined {
  if (body === undefined) return undefined;
  const card = objectOf(body);
  if ('supportedInterfaces' in card) return card;
  return 'protocolVersion' in card ? modernCard(card) : untranslatable('a card of no known version');
}

/** True for what `readCardFetch` may read: a GET of a JSON file at a card's place. */
export const isCardFetch = ({ request }: HttpExampleExchange): boolean =>
  request.method === 'GET' && /\/agent(-card)?\.json$/.test(request.url.split('?')[0] ?? '');

export function writeCardFetch(fetch: CardFetch, version: ProtocolVersion): HttpExampleExchange {
  const { parties, url, headers, status, responseHeaders, card } = fetch;
  const place = placeOfCard(url, version);
  return {
    ...parties,
    request: { method: 'GET', url: place, headers: { Accept: 'application/json', ...headers } },
    response: {
      status,
      headers: { 'Content-Type': 'application/json', ...responseHeaders },
      ...present({ body: card === undefined || version === '1.0' ? card : legacyCard(card, version) }),
    },
  };
}

/** Where a card of this version is, for one that is at `url` in 1.0. */
export function placeOfCard(url: string, version: ProtocolVersion): string {
  if (version !== '0.1' && version !== '0.2') return url;
  if (url.endsWith(oldWellKnown)) return url;
  return url.endsWith(wellKnown)
    ? url.replace(wellKnown, oldWellKnown)
    : untranslatable('a place that 0.2 has not');
}

const mediaType = (modern: boolean): string => (modern ? 'application/a2a+json' : 'application/json');

export function readDelivery(exchange: HttpExampleExchange): Delivery {
  const { request, response } = exchange;
  const body = objectOf(request.body);
  const legacy = 'kind' in body;
  if (response === undefined || !isJsonObject(response.body) || Object.keys(response.body).length > 0)
    return untranslatable('an answer that says something');
  const { 'Content-Type': answered, ...responseHeaders } = response.headers;
  if (answered !== 'application/json' || response.end !== undefined) return untranslatable('another answer');
  return {
    kind: 'delivery',
    parties: partiesOf(exchange),
    verb: request.method,
    url: request.url,
    headers: extraHeaders(request.headers, { 'Content-Type': mediaType(!legacy) }),
    body: legacy ? objectOf(legacyPayload.from(body)) : body,
    status: response.status,
    responseHeaders,
  };
}

export function writeDelivery(
  delivery: Delivery,
  version: ProtocolVersion,
  oldest: OldestConversation,
): HttpExampleExchange {
  const { parties, verb, url, headers, status, responseHeaders } = delivery;
  return {
    ...parties,
    request: {
      method: verb,
      url,
      headers: { 'Content-Type': mediaType(version === '1.0'), ...headers },
      body: bodyFor(delivery.body, version, oldest),
    },
    response: { status, headers: { 'Content-Type': 'application/json', ...responseHeaders }, body: {} },
  };
}

function bodyFor(body: JsonObject, version: ProtocolVersion, oldest: OldestConversation): Json {
  if (version === '1.0') return body;
  if (version !== '0.1') return legacyPayload.to(body);
  return body.task === undefined ? oldestEvent(body, oldest) : oldestTask(body.task, oldest);
}
