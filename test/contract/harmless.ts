import type { CapturedBody, CapturedExchange, Json, JsonObject } from '@plugfest/model';
import { header, isJsonObject } from '@plugfest/model';

/** A change of the traffic that means the same to A2A, so that no rule may notice it. */
export type Mutation = (exchange: CapturedExchange) => CapturedExchange;

export const harmless: Readonly<Record<string, Mutation>> = {
  'header names in capitals': (exchange) => mapHeaders(exchange, (name) => name.toUpperCase()),
  'header names in lower case': (exchange) => mapHeaders(exchange, (name) => name.toLowerCase()),
  'one byte per chunk': (exchange) => mapBodies(exchange, rechunk(1)),
  'seven bytes per chunk': (exchange) => mapBodies(exchange, rechunk(7)),
  'members in reverse order': (exchange) => mapJson(exchange, reversed),
  'unknown members': (exchange) => mapJson(exchange, extended),
};

/** The rule that is about unknown members has something to judge where there are some. */
export const exercisedBy: Readonly<Record<string, string>> = { 'unknown members': 'JSON-018' };

function mapHeaders(exchange: CapturedExchange, change: (name: string) => string): CapturedExchange {
  const map = (headers: readonly string[]): string[] =>
    headers.map((text, i) => (i % 2 === 0 ? change(text) : text));
  return {
    ...exchange,
    request: { ...exchange.request, headers: map(exchange.request.headers) },
    ...(exchange.response
      ? { response: { ...exchange.response, headers: map(exchange.response.headers) } }
      : {}),
  };
}

function mapBodies(
  exchange: CapturedExchange,
  change: (body: CapturedBody) => CapturedBody,
): CapturedExchange {
  return {
    ...exchange,
    request: { ...exchange.request, body: change(exchange.request.body) },
    ...(exchange.response
      ? { response: { ...exchange.response, body: change(exchange.response.body) } }
      : {}),
  };
}

function rechunk(size: number): (body: CapturedBody) => CapturedBody {
  return (body) => ({
    ...body,
    chunks: body.chunks.flatMap(({ seq, atNs, bytes }) => {
      const pieces = [];
      for (let at = 0; at < bytes.length; at += size)
        pieces.push({ seq, atNs, bytes: bytes.subarray(at, at + size) });
      return pieces;
    }),
  });
}

/** Whether a JSON text is what a peer meant as a protocol object, or an error that is shaped by other standards. */
type Place = 'protocol' | 'error';
type ChangeJson = (value: Json, place: Place) => Json;

function mapJson(exchange: CapturedExchange, change: ChangeJson): CapturedExchange {
  const { request, response } = exchange;
  const changed = {
    ...exchange,
    request: { ...request, body: mapBody(request.body, request.headers, (json) => change(json, 'protocol')) },
  };
  if (response === undefined) return changed;
  const place = response.status < 400 ? 'protocol' : 'error';
  const body = mapBody(response.body, response.headers, (json) => change(json, place));
  return { ...changed, response: { ...response, body } };
}

/** Each chunk that is a JSON text, or SSE lines with one each. What JSON.stringify would not write back is left alone. */
function mapBody(
  body: CapturedBody,
  headers: readonly string[],
  change: (value: Json) => Json,
): CapturedBody {
  if (header(headers, 'content-encoding') !== undefined || header(headers, 'content-length') !== undefined)
    return body;
  const chunks = body.chunks.map((chunk) => {
    const text = Buffer.from(chunk.bytes).toString('utf8');
    if (!Buffer.from(text).equals(chunk.bytes)) return chunk;
    const lines = text.split('\n').map((line) => {
      const prefix = /^data: ?/.exec(line)?.[0] ?? '';
      return prefix + rewritten(line.slice(prefix.length), change);
    });
    return { ...chunk, bytes: Buffer.from(lines.join('\n')) };
  });
  const sizeBytes = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const sameAsStored = body.storedBytes === body.totalBytes;
  return sameAsStored ? { ...body, chunks, totalBytes: sizeBytes, storedBytes: sizeBytes } : body;
}

function rewritten(text: string, change: (value: Json) => Json): string {
  try {
    const value: Json = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(change(value)) : text;
  } catch {
    return text;
  }
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

/** Members whose content is the user's, or another standard's: what is added there means something. */
const freeForm: ReadonlySet<string> = new Set([
  ...['metadata', 'data', 'error', 'header', 'scopes', 'security', 'securityRequirements'],
]);
/** Maps: a member more is an entry more, but the entries are protocol objects. */
const maps: ReadonlySet<string> = new Set(['securitySchemes', 'flows']);

function extended(value: Json, place: Place): Json {
  if (place === 'error' || !isJsonObject(value)) return value;
  // The envelope is JSON-RPC's; what it carries is A2A's.
  return 'jsonrpc' in value ? extendMembers(value) : extend(value, '');
}

function extend(value: Json, name: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => extend(item, name));
  if (!isJsonObject(value) || freeForm.has(name)) return value;
  const members = extendMembers(value);
  return maps.has(name) ? members : { ...members, plugfestUnknown: { of: ['a', 'later', 'version'] } };
}

/** The `params` of an extension declaration are the extension's own. */
function extendMembers(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'params' && 'uri' in value ? member : extend(member, name),
    ]),
  );
}
