import {
  type CapturedBody,
  type CapturedResponse,
  header,
  type Json,
  mediaType,
  type Operation,
} from '@plugfest/model';
import { isWhole, joinChunks } from '../body.ts';
import type { DecodedResponse, ErrorView, JsonBody, StreamEvent } from '../decoded.ts';
import { absentBody, readJson } from '../json-text.ts';
import { limits } from '../limits.ts';
import { isStreaming } from '../operations.ts';
import { percentDecode } from '../target.ts';

/**
 * Marks an exchange whose gRPC messages are stored as JSON, one a line, as NDJSON imports have them. Framed protobuf
 * messages are not decoded; their method, status and trailers are.
 */
const jsonMarker = 'x-plugfest-grpc-json';

export interface GrpcMessage {
  readonly json: JsonBody;
  readonly atNs: number;
}

/** The messages of a body: JSON lines where the marker is set, or else none. */
export function grpcMessages(body: CapturedBody, headers: readonly string[]): readonly GrpcMessage[] {
  if (header(headers, jsonMarker) === undefined) return [];
  if (body.storedBytes > limits.bodyBytes) {
    return [{ json: { ...absentBody, state: 'too-large' }, atNs: body.endedAtNs ?? 0 }];
  }
  const whole = isWhole(body);
  const lines = joinChunks(body)
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const oneEach = lines.length === body.chunks.length;
  const lastNs = body.chunks.at(-1)?.atNs ?? body.endedAtNs ?? 0;
  return lines.map((line, index) => ({
    json: readJson(line, true, whole || index < lines.length - 1),
    atNs: (oneEach ? body.chunks[index]?.atNs : undefined) ?? lastNs,
  }));
}

/** The gRPC status as an error; undefined for OK and where none was seen. Its details stay in the trailer, encoded. */
function grpcError({ headers, trailers }: CapturedResponse): ErrorView | undefined {
  const field = (name: string): string | undefined => header(trailers ?? [], name) ?? header(headers, name);
  const status = field('grpc-status')?.trim();
  if (status === undefined || status === '0') return undefined;
  const message = field('grpc-message');
  const code = /^\d{1,2}$/.test(status) ? Number(status) : undefined;
  const text = message === undefined ? undefined : percentDecode(message);
  const value: Json = { status, ...(text === undefined ? {} : { message: text }) };
  return {
    code,
    name: undefined,
    message: text,
    details: undefined,
    errorInfo: undefined,
    value,
    pointer: '',
  };
}

/** A gRPC response; messages of streaming operations are its events. */
export function grpcResponse(response: CapturedResponse, operation: Operation | undefined): DecodedResponse {
  const messages = grpcMessages(response.body, response.headers);
  const error = grpcError(response);
  const stream = isStreaming(operation) && (messages.length > 0 || error === undefined);
  const json = stream ? absentBody : (messages[0]?.json ?? absentBody);
  const event = ({ json: data, atNs }: GrpcMessage, index: number): StreamEvent => ({
    index,
    firstAtNs: atNs,
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
    mediaType: mediaType(header(response.headers, 'content-type')),
    json,
    rpc: undefined,
    result: json.value,
    pointer: '',
    error,
    events: stream ? messages.map(event) : undefined,
    complete: isWhole(response.body),
  };
}
