import {
  type Binding,
  type CapturedResponse,
  contentType,
  isJsonObject,
  type Json,
  type Operation,
  type ProtocolVersion,
} from '@plugfest/model';
import { isWhole, joinChunks, readJsonBody } from '../body.ts';
import { contentCodings, decodeContent } from '../content-coding.ts';
import type { DecodedResponse, ErrorView, JsonBody, RpcEnvelope, StreamEvent } from '../decoded.ts';
import { absentBody, readJson } from '../json-text.ts';
import { isStreaming } from '../operations.ts';
import { streamResponseMembers } from '../shape.ts';
import { type SseEvent, SseParser } from '../sse.ts';
import { errorView } from './error.ts';
import { rpcEnvelope } from './jsonrpc.ts';

/** A response read, but not yet interpreted: that needs the version, which may depend on what was read. */
export interface ReadResponse {
  readonly status: number;
  readonly mediaType: string;
  readonly json: JsonBody;
  readonly events: readonly { readonly sse: SseEvent; readonly json: JsonBody }[] | undefined;
  readonly complete: boolean;
}

const sseStart = /^\uFEFF?(?::[^\r\n]*[\r\n]+)*(?:data|event|id|retry):/;

/** JSON of an event's data. `whole` is false only for the last event of a stream that was cut. */
export function readEventData(data: string, utf8: boolean, whole: boolean, tooLarge = false): JsonBody {
  return tooLarge ? { state: 'too-large', text: '', utf8, duplicates: [] } : readJson(data, utf8, whole);
}

function readEvents(response: CapturedResponse): Pick<ReadResponse, 'events' | 'complete'> {
  const { body } = response;
  let complete = isWhole(body);
  const events: { sse: SseEvent; json: JsonBody }[] = [];
  const parser = new SseParser((sse) => {
    const cut = !sse.terminated && !complete;
    events.push({ sse, json: readEventData(sse.data, sse.utf8, !cut, sse.tooLarge) });
  });
  const codings = contentCodings(response.headers);
  if (codings.length === 0) {
    for (const chunk of body.chunks) parser.push(chunk.bytes, chunk.atNs);
  } else {
    // Compressed events have no arrival times of their own: all are seen when the last chunk is.
    const decoded = decodeContent(joinChunks(body), codings);
    if (decoded.state === 'ok') {
      complete &&= decoded.whole;
      parser.push(decoded.bytes, body.chunks.at(-1)?.atNs ?? response.atNs);
    } else complete = false;
  }
  parser.end();
  return { events, complete: complete && !parser.overflow };
}

/** Reads a response body: as a stream where it is one, or else as JSON. */
export function readResponse(
  response: CapturedResponse,
  verb: string,
  operation: Operation | undefined,
): ReadResponse {
  const type = contentType(response.headers);
  const { status, body } = response;
  if (type === 'text/event-stream') {
    return { status, mediaType: type, json: absentBody, ...readEvents(response) };
  }
  const bodiless = status === 204 || status === 304 || verb === 'HEAD';
  const json = bodiless && body.totalBytes === 0 ? absentBody : readJsonBody(body, response.headers, type);
  // A stream under a wrong media type is still read as one; the media type is there to be judged.
  if (json.state !== 'ok' && isStreaming(operation) && sseStart.test(json.text.slice(0, 4096))) {
    return { status, mediaType: type, json: absentBody, ...readEvents(response) };
  }
  return { status, mediaType: type, json, events: undefined, complete: isWhole(body) };
}

const resultIn = (value: Json | undefined): Json | undefined =>
  isJsonObject(value) && isJsonObject(value.result) ? value.result : undefined;

/** The first protocol object of a response, envelope removed: what shows the version of a shared method name. */
export function firstResult(response: ReadResponse | undefined): Json | undefined {
  if (response?.events === undefined) return resultIn(response?.json.value);
  for (const { json } of response.events) {
    const result = resultIn(json.value);
    if (result !== undefined) return result;
  }
  return undefined;
}

/** What a JSON value means once the binding's envelope is taken off. */
export interface Interpretation {
  readonly rpc: RpcEnvelope | undefined;
  readonly payload: Json | undefined;
  readonly pointer: string;
  readonly error: ErrorView | undefined;
}

/**
 * Takes a response body or stream event out of its binding. `status` is the HTTP status for unary HTTP+JSON, whose
 * failures are told by it. A JSON-RPC envelope in HTTP+JSON is a fault, and is seen through, so that what it holds
 * can be judged too.
 */
export function interpret(
  value: Json | undefined,
  binding: Binding,
  version: ProtocolVersion,
  status?: number,
  errorEvent = false,
): Interpretation {
  const enveloped = isJsonObject(value) && 'jsonrpc' in value;
  if (binding === 'JSONRPC' || enveloped) {
    const rpc = rpcEnvelope(value);
    // 0.1 allowed `error: null` beside a result.
    const failed = rpc !== undefined && rpc.error !== undefined && rpc.error !== null;
    return {
      rpc,
      payload: rpc?.result,
      pointer: '/result',
      error: failed
        ? errorView(rpc.error, '/error', version)
        : errorEvent && isJsonObject(value) && rpc?.result === undefined
          ? errorView(value, '', version)
          : undefined,
    };
  }
  const failed = status !== undefined && (status < 200 || status > 299);
  if (!isJsonObject(value))
    return { rpc: undefined, payload: failed ? undefined : value, pointer: '', error: undefined };
  const inner = value.error;
  const hasInner = inner !== undefined && inner !== null;
  const hasResult = 'status' in value || streamResponseMembers.some((member) => member in value);
  if (failed || errorEvent || (hasInner && !hasResult)) {
    const error = hasInner
      ? errorView(inner, '/error', version, failed ? status : undefined)
      : errorView(value, '', version, failed ? status : undefined);
    return { rpc: undefined, payload: failed || errorEvent ? undefined : value, pointer: '', error };
  }
  return { rpc: undefined, payload: value, pointer: '', error: undefined };
}

/** Interprets what was read, now that the dialect is known. */
export function interpretResponse(
  read: ReadResponse,
  binding: Binding,
  version: ProtocolVersion,
): DecodedResponse {
  const { status, json, complete } = read;
  const whole = interpret(json.value, binding, version, status);
  const events = read.events?.map(({ sse, json: data }, index): StreamEvent => {
    const { rpc, payload, pointer, error } = interpret(
      data.value,
      binding,
      version,
      undefined,
      sse.name === 'error',
    );
    return {
      index,
      firstAtNs: sse.firstAtNs,
      atNs: sse.atNs,
      eventName: sse.name,
      lastEventId: sse.id,
      json: data,
      rpc,
      payload,
      pointer,
      error,
      terminated: sse.terminated,
    };
  });
  return {
    status,
    mediaType: read.mediaType,
    json,
    rpc: whole.rpc,
    result: whole.payload,
    pointer: whole.pointer,
    error: whole.error,
    events,
    complete,
  };
}
