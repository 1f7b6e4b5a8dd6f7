import type { DescMessage } from '@bufbuild/protobuf';
import {
  type CapturedBody,
  type CapturedResponse,
  header,
  isJsonObject,
  type Json,
  type JsonObject,
  mediaType,
  type Operation,
  type ProtocolVersion,
  type RawHeaders,
} from '@plugfest/model';
import { asBuffer, decodeUtf8, isWhole, joinChunks, readJsonBody } from '../body.ts';
import { type ContentDecoding, decodeContent } from '../content-coding.ts';
import type { DecodedResponse, ErrorView, GrpcStatus, JsonBody, StreamEvent } from '../decoded.ts';
import { FrameReader, type GrpcFrame } from '../grpc/framing.ts';
import { readJsonMessage } from '../grpc/json-message.ts';
import { readProtobuf } from '../grpc/message.ts';
import { withoutOtherPackage } from '../grpc/other-package.ts';
import { grpcStatus } from '../grpc/status.ts';
import { grpcWebText, grpcWebTrailers, isGrpcWeb } from '../grpc/web.ts';
import { absentBody, readJson } from '../json-text.ts';
import { limits } from '../limits.ts';
import { isStreaming } from '../operations.ts';
import { grpcErrorView } from './error.ts';

/**
 * Marks an exchange whose gRPC messages are stored as JSON, one a line, as NDJSON imports have them. On the wire the
 * header is the peer's, and means nothing.
 */
const jsonMarker = 'x-plugfest-grpc-json';
const isMarked = (headers: RawHeaders, imported: boolean): boolean =>
  imported && header(headers, jsonMarker) !== undefined;

interface GrpcMessage {
  readonly json: JsonBody;
  readonly firstAtNs: number;
  readonly atNs: number;
}

interface GrpcBody {
  readonly messages: readonly GrpcMessage[];
  /** gRPC-Web sends its trailers in the body. */
  readonly trailers: RawHeaders | undefined;
  /** There is more than was read. */
  readonly overflow: boolean;
}

const jsonMessage = (type: DescMessage, read: JsonBody): JsonBody =>
  withoutOtherPackage(type, readJsonMessage(type, read), (other) => readJsonMessage(other, read));

/** The lines of a body that are not empty, each with the time at which its last byte came. */
function timedLines(body: CapturedBody): readonly { readonly text: string; readonly atNs: number }[] {
  const bytes = joinChunks(body);
  const lines: { text: string; atNs: number }[] = [];
  let chunk = 0;
  let chunkEnd = body.chunks[0]?.bytes.length ?? 0;
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(10, from);
    const to = newline === -1 ? bytes.length : newline + 1;
    while (chunkEnd < to && chunk + 1 < body.chunks.length) {
      chunk += 1;
      chunkEnd += body.chunks[chunk]?.bytes.length ?? 0;
    }
    const text = bytes.toString('utf8', from, newline === -1 ? to : newline);
    if (text.trim() !== '') lines.push({ text, atNs: body.chunks[chunk]?.atNs ?? body.endedAtNs ?? 0 });
    from = to;
  }
  return lines;
}

/** A body whose messages are JSON lines. */
function jsonLines(body: CapturedBody, type: DescMessage | undefined): GrpcBody {
  const one = (json: JsonBody, atNs: number): GrpcMessage => ({ json, firstAtNs: atNs, atNs });
  if (body.storedBytes > limits.bodyBytes) {
    const json: JsonBody = { ...absentBody, state: 'too-large' };
    return { messages: [one(json, body.endedAtNs ?? 0)], trailers: undefined, overflow: true };
  }
  const whole = isWhole(body);
  const lines = timedLines(body);
  const messages = lines.map(({ text, atNs }, index) => {
    const read = readJson(text, true, whole || index < lines.length - 1);
    const json = type === undefined ? read : jsonMessage(type, read);
    return one(json, atNs);
  });
  return { messages, trailers: undefined, overflow: false };
}

/** The message of a frame, compression undone. */
function readFrame(
  frame: GrpcFrame,
  type: DescMessage | undefined,
  format: { readonly json: boolean; readonly whole: boolean; readonly inflation: Inflation },
): JsonBody {
  const invalid = (problem: string): JsonBody => ({ ...absentBody, state: 'invalid', problem });
  if (frame.state === 'too-large') return { ...absentBody, state: 'too-large' };
  if (frame.state === 'cut')
    // A body that ended by itself inside a message is its sender's fault, any other was cut on the way.
    return format.whole ? invalid('the body ends inside a message') : { ...absentBody, state: 'truncated' };
  if (frame.flags > 1) return invalid(`a message has the flags ${frame.flags}, which gRPC does not have`);
  let { bytes } = frame;
  if (frame.flags === 1) {
    const { encoding } = format.inflation;
    if (encoding === '' || encoding === 'identity')
      return invalid('a message is compressed, but no `grpc-encoding` says how');
    if (!codings.has(encoding))
      return { ...absentBody, state: 'too-large', problem: `unknown grpc-encoding ${encoding}` };
    const decoded = format.inflation.decode(bytes);
    if (decoded.state === 'too-large') return { ...absentBody, state: 'too-large' };
    if (decoded.state === 'invalid') return invalid(decoded.problem);
    if (!decoded.whole) return invalid('a compressed message ends early');
    bytes = decoded.bytes;
  }
  if (format.json) {
    const { text, utf8 } = decodeUtf8(asBuffer(bytes));
    const read = readJson(text, utf8, true);
    return type === undefined ? read : jsonMessage(type, read);
  }
  if (type === undefined) return absentBody;
  return withoutOtherPackage(type, readProtobuf(type, bytes), (other) => readProtobuf(other, bytes));
}

const codings: ReadonlySet<string> = new Set(['gzip', 'deflate', 'br', 'zstd']);

/** What a message costs beside the bytes that come out of it, in as many bytes; one that is damaged costs far more. */
const costs = { message: 256, damaged: 64 * 1024 } as const;

/** Undoes the compression of the messages of one body, until that has been enough work. */
class Inflation {
  readonly encoding: string;
  #left: number = limits.inflatedBytes;

  constructor(encoding: string) {
    this.encoding = encoding;
  }

  decode(bytes: Uint8Array): ContentDecoding {
    if (this.#left <= 0) return { state: 'too-large' };
    const decoded = decodeContent(bytes, [this.encoding]);
    const isGood = decoded.state === 'ok' && decoded.whole;
    const made = decoded.state === 'ok' ? decoded.bytes.byteLength : 0;
    this.#left -=
      decoded.state === 'too-large' ? limits.bodyBytes : made + (isGood ? costs.message : costs.damaged);
    return decoded;
  }
}

/** The messages of a body; `type` is their definition, undefined where the method is none that Plugfest knows. */
function grpcBody(
  body: CapturedBody,
  headers: RawHeaders,
  type: DescMessage | undefined,
  imported: boolean,
): GrpcBody {
  if (isMarked(headers, imported)) return jsonLines(body, type);
  const media = mediaType(header(headers, 'content-type'));
  const reader = new FrameReader();
  if (media.startsWith('application/grpc-web-text')) {
    if (body.storedBytes <= limits.bodyBytes)
      reader.push(grpcWebText(body), body.chunks.at(-1)?.atNs ?? body.endedAtNs ?? 0);
    else reader.overflow = true;
  } else for (const { bytes, atNs } of body.chunks) reader.push(bytes, atNs);
  reader.end();
  const { messages, trailers } = isGrpcWeb(media)
    ? grpcWebTrailers(reader.frames)
    : { messages: reader.frames, trailers: undefined };
  const format = {
    inflation: new Inflation((header(headers, 'grpc-encoding') ?? '').trim().toLowerCase()),
    json: media.endsWith('+json'),
    whole: isWhole(body),
  };
  return {
    messages: messages.map((frame) => ({
      json: readFrame(frame, type, format),
      firstAtNs: frame.firstAtNs,
      atNs: frame.atNs,
    })),
    trailers,
    overflow: reader.overflow,
  };
}

/** The request message. Without one the body is absent, or cut off where more was to come. */
export function grpcRequest(
  body: CapturedBody,
  headers: RawHeaders,
  type: DescMessage | undefined,
  imported: boolean,
): { readonly json: JsonBody; readonly messages: number } {
  const { messages } = grpcBody(body, headers, type, imported);
  const nothing: JsonBody = isWhole(body) ? absentBody : { ...absentBody, state: 'truncated' };
  return { json: messages[0]?.json ?? nothing, messages: messages.length };
}

/** The gRPC status as an error; undefined for OK and where none was seen. */
function errorOf(status: GrpcStatus | undefined, operation: Operation | undefined): ErrorView | undefined {
  return status === undefined || status.code === 0 ? undefined : grpcErrorView(status, operation);
}

/** A gRPC response; messages of streaming operations are its events. */
export function grpcResponse(
  response: CapturedResponse,
  operation: Operation | undefined,
  type: DescMessage | undefined,
  imported: boolean,
): DecodedResponse {
  const { headers, body } = response;
  const media = mediaType(header(headers, 'content-type'));
  const isGrpc = media.startsWith('application/grpc') || isMarked(headers, imported);
  // Whatever answers without gRPC is no gRPC server: a gateway's page, say.
  const { messages, trailers, overflow }: GrpcBody = isGrpc
    ? grpcBody(body, headers, type, imported)
    : { messages: [], trailers: undefined, overflow: false };
  const status = grpcStatus(response, response.trailers ?? trailers);
  const error = errorOf(status, operation);
  const stream = isGrpc && isStreaming(operation) && (messages.length > 0 || error === undefined);
  const unary = isGrpc ? (messages[0]?.json ?? absentBody) : readJsonBody(body, headers, media);
  const json = stream ? absentBody : unary;
  const event = ({ json: data, firstAtNs, atNs }: GrpcMessage, index: number): StreamEvent => ({
    index,
    firstAtNs,
    atNs,
    eventName: undefined,
    lastEventId: undefined,
    json: data,
    rpc: undefined,
    payload: data.value,
    pointer: '',
    error: undefined,
    terminated: data.state !== 'truncated',
  });
  return {
    status: response.status,
    mediaType: media,
    json,
    rpc: undefined,
    result: isGrpc ? json.value : undefined,
    pointer: '',
    error,
    events: stream ? messages.map(event) : undefined,
    // Only the status tells that nothing is to come (A2A 1.0 section 10.7).
    complete: status !== undefined && body.storedBytes === body.totalBytes && !overflow,
    messages: messages.length,
    ...(status === undefined ? {} : { grpcStatus: status }),
  };
}

const resourceName = /^tasks?\/([^/]+)(?:\/pushNotification(?:Config)?s(?:\/([^/]+))?)?$/;

/**
 * The input of a call under its 1.0 names, beside what was sent. Up to 0.3 the proto names resources:
 * `tasks/{id}/pushNotificationConfigs/{id}` (0.3 section 7, `a2a.proto`).
 */
export function grpcParams(
  value: Json | undefined,
  version: ProtocolVersion,
  operation: Operation | undefined,
): Json | undefined {
  if (version === '1.0' || !isJsonObject(value)) return value;
  const name = value.name ?? value.parent;
  const match = typeof name === 'string' ? resourceName.exec(name) : null;
  if (match === null) return value;
  const [, taskId, configId] = match;
  const ofConfig = operation?.includes('PushNotificationConfig') === true;
  const ids: JsonObject = ofConfig
    ? { taskId: taskId ?? '', ...(configId === undefined ? {} : { id: configId }) }
    : { id: taskId ?? '' };
  return { ...value, ...ids };
}
