import { type Dialect, header, mediaType, type Operation, type RawHeaders } from '@plugfest/model';
import { grpcErrorView } from './decode/error.ts';
import type { ErrorView, GrpcStatus, JsonBody, Payload } from './decoded.ts';
import type { GrpcFrame } from './grpc/framing.ts';
import { readProtobuf } from './grpc/message.ts';
import { rpcOf } from './grpc/schemas.ts';
import { grpcStatus } from './grpc/status.ts';
import { absentBody } from './json-text.ts';
import { wireMethodOf } from './operations.ts';
import { extractResult, extractUnary } from './payloads.ts';
import { type CallResult, callResult, type StreamResult, streamResult } from './result.ts';

/** What a live client got from a gRPC call, as HTTP/2 has it. */
export interface GrpcAnswer {
  /** Of HTTP. */
  readonly status: number;
  readonly headers: RawHeaders;
  readonly trailers: RawHeaders | undefined;
  readonly frames: readonly GrpcFrame[];
}

/** A call result with the status that gRPC has for it. */
export interface GrpcCallResult extends CallResult {
  /** Undefined where the answer is none of gRPC, or broke off before its status. */
  readonly grpcStatus: GrpcStatus | undefined;
}

const place = { side: 'response', atNs: 0 } as const;

function messageIn(
  { binding, version }: Dialect,
  operation: Operation,
  frame: GrpcFrame | undefined,
): JsonBody {
  if (frame === undefined) return absentBody;
  const invalid = (problem: string): JsonBody => ({ ...absentBody, state: 'invalid', problem });
  if (frame.state !== 'whole') return invalid(`the message is ${frame.state}`);
  // The request said `grpc-accept-encoding: identity`.
  if (frame.flags !== 0) return invalid(`a message has the flags ${frame.flags}`);
  const path = wireMethodOf({ binding, version }, operation);
  const rpc = path === undefined ? undefined : rpcOf(path);
  return rpc === undefined ? absentBody : readProtobuf(rpc.output, frame.bytes);
}

/** How a call ended: its status, and the error that it says. A status that names no A2A error is named as gRPC does. */
export function readGrpcEnd(
  { headers, trailers }: Pick<GrpcAnswer, 'headers' | 'trailers'>,
  operation: Operation,
): { readonly status: GrpcStatus | undefined; readonly error: ErrorView | undefined } {
  const status = grpcStatus({ headers }, trailers);
  if (status === undefined || status.code === 0) return { status, error: undefined };
  const view = grpcErrorView(status, operation);
  return { status, error: { ...view, name: view.name ?? status.name } };
}

/** Reads the answer to one unary call. The same decoding as for captured exchanges. */
export function readGrpcResult(dialect: Dialect, operation: Operation, answer: GrpcAnswer): GrpcCallResult {
  const media = mediaType(header(answer.headers, 'content-type'));
  const isGrpc = media.startsWith('application/grpc');
  const json = isGrpc ? messageIn(dialect, operation, answer.frames[0]) : absentBody;
  const end = isGrpc ? readGrpcEnd(answer, operation) : { status: undefined, error: undefined };
  const payloads: Payload[] = [];
  extractUnary(operation, json.value, '', { place, version: dialect.version, into: payloads });
  return {
    ...callResult(payloads, json.value),
    ok: end.status?.code === 0 && json.state === 'ok' && answer.frames.length === 1,
    status: answer.status,
    mediaType: media,
    json,
    rpc: undefined,
    error: end.error,
    grpcStatus: end.status,
  };
}

/** Reads one message of a stream. */
export function readGrpcEvent(dialect: Dialect, operation: Operation, frame: GrpcFrame): StreamResult {
  const json = messageIn(dialect, operation, frame);
  const payloads: Payload[] = [];
  extractResult(json.value, '', true, { place, version: dialect.version, into: payloads });
  return { ...streamResult(payloads), json, rpc: undefined, error: undefined };
}
