import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  type ProtocolVersion,
} from '@plugfest/model';
import type { HttpExampleExchange } from '../example.ts';
import { untranslatable } from './codec.ts';
import { isStreamed, rpcMethods } from './dialect.ts';
import { headersFor, headersFrom } from './headers.ts';
import { rpcEvent, rpcParams, rpcResult } from './jsonrpc.ts';
import type { OldestConversation } from './oldest.ts';

type Source = '0.3' | '1.0';
type Response = NonNullable<HttpExampleExchange['response']>;

interface Change {
  readonly source: Source;
  readonly version: ProtocolVersion;
  readonly oldest: OldestConversation;
}

/**
 * A JSON-RPC exchange in an older version where its envelope, its headers or its framing is at fault: those are the
 * same in all versions and stay as they are; only what the envelope carries is translated.
 */
export function withinJsonRpc(
  exchange: HttpExampleExchange,
  source: Source,
  version: ProtocolVersion,
  oldest: OldestConversation,
): HttpExampleExchange {
  const change = { source, version, oldest };
  const { request, response } = exchange;
  const { 'A2A-Version': announced, ...headers } = request.headers;
  if (source === '1.0' && announced !== '1.0' && version !== '1.0')
    untranslatable('a version header before 1.0');
  if (source === '0.3' && announced !== undefined) untranslatable('a version header before 1.0');
  const older = (each: Readonly<Record<string, string>>) => headersFor(headersFrom(each, source), version);
  const operation = operationOf(request.body, source);
  return {
    ...exchange,
    request: {
      ...request,
      headers: older(headers),
      ...(request.body === undefined ? {} : { body: requestBody(request.body, response, change) }),
      ...(request.body_raw === undefined ? {} : { body_raw: rawText(request.body_raw, change) }),
    },
    ...(response === undefined
      ? {}
      : { response: { ...responseOf(response, operation, change), headers: older(response.headers) } }),
  };
}

function operationOf(body: Json | undefined, source: Source): Operation | undefined {
  const call = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(call)) return undefined;
  const entry = Object.entries(rpcMethods[source]).find(([, method]) => method === call.method);
  return entry?.[0] as Operation | undefined;
}

/** Sees to it that a method of another style does not change the dialect of what is otherwise the same. */
function methodFor(method: Json, { source, version }: Change): Json {
  if (typeof method !== 'string' || source === version) return method;
  const operation = operationOf({ method }, source);
  if (operation !== undefined)
    return rpcMethods[version][operation] ?? untranslatable(`${version} has no ${operation}`);
  return source === '1.0' && /^[A-Z]/.test(method) ? `tasks/${method.toLowerCase()}` : method;
}

function requestBody(body: Json, response: Response | undefined, change: Change): Json {
  if (Array.isArray(body)) return body.map((call: Json) => requestBody(call, response, change));
  if (!isJsonObject(body)) return body;
  const { method, params } = body;
  const operation = operationOf(body, change.source);
  const result = isJsonObject(response?.body) ? response.body.result : undefined;
  return {
    ...body,
    ...(method === undefined ? {} : { method: methodFor(method, change) }),
    ...(operation === undefined || !isJsonObject(params)
      ? {}
      : { params: rpcParams(operation, params, result, change) }),
  };
}

function responseOf(response: Response, operation: Operation | undefined, change: Change): Response {
  const { body, body_raw: raw, sse } = response;
  return {
    ...response,
    ...(body === undefined ? {} : { body: envelope(body, operation, false, change) }),
    ...(raw === undefined ? {} : { body_raw: rawText(raw, change) }),
    ...(sse === undefined
      ? {}
      : {
          sse: sse.map((event) => {
            if ('data' in event) return { data: envelope(event.data, operation, true, change) };
            return 'raw' in event ? { raw: rawText(event.raw, change) } : untranslatable('bytes');
          }),
        }),
  };
}

function envelope(body: Json, operation: Operation | undefined, inStream: boolean, change: Change): Json {
  if (!isJsonObject(body)) return body;
  const { result } = body;
  if (result === undefined || result === null || change.source === change.version) return body;
  if (operation === undefined)
    return words[change.source].test(JSON.stringify(body)) ? untranslatable('a result of nothing') : body;
  const event = inStream || isStreamed(operation);
  if (!isJsonObject(result)) return untranslatable('a result that is no object');
  return {
    ...body,
    result: event ? rpcEvent(result as JsonObject, change) : rpcResult(operation, result, change),
  };
}

/** Words that only one version has. */
const words: Readonly<Record<Source, RegExp>> = {
  '1.0': /TASK_STATE_|ROLE_|statusUpdate|artifactUpdate|"text"|"task"|"message"/,
  '0.3': /"kind"|"final"/,
};

/** Bytes are left alone, but for the name of a method; where they say more, they belong to their version. */
function rawText(text: string, change: Change): string {
  const { source, version } = change;
  if (source === version || (source === '0.3' && version === '0.2')) return text;
  const renamed = text.replace(/("method"\s*:\s*)"([^"]*)"/, (_all, before: string, method: string) => {
    const named = methodFor(method, change);
    return typeof named === 'string' ? `${before}"${named}"` : untranslatable('no name');
  });
  return words[source].test(renamed) ? untranslatable('bytes of one version') : renamed;
}
