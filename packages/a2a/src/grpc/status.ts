import { createRegistry, fromBinary, toJson } from '@bufbuild/protobuf';
import {
  type Any,
  AnySchema,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import { type CapturedResponse, grpcStatusNames, header, type Json, type RawHeaders } from '@plugfest/model';
import type { GrpcStatus } from '../decoded.ts';
import { percentDecode } from '../target.ts';
import { file_google_rpc_error_details } from './generated/google/rpc/error_details_pb.ts';
import { StatusSchema } from './generated/google/rpc/status_pb.ts';
import { survey } from './survey.ts';

/** Trailer in which NDJSON imports keep the details of a status, decoded. */
const jsonDetails = 'x-plugfest-grpc-details-json';

const registry = createRegistry(
  file_google_rpc_error_details,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
);

/** A typed object as ProtoJSON; one of a type that is not known here keeps its bytes, as base64. */
function anyJson(any: Any): Json {
  try {
    return toJson(AnySchema, any, { registry }) as Json;
  } catch {
    return { '@type': any.typeUrl, value: Buffer.from(any.value).toString('base64') };
  }
}

type Details = Pick<GrpcStatus, 'details' | 'inDetails' | 'detailsProblem'>;

function readBinary(text: string): Details {
  const bytes = Buffer.from(text, 'base64');
  const { state, problem = 'too large' } = survey(StatusSchema, bytes);
  if (state !== 'ok') return { detailsProblem: problem };
  try {
    const { code, message, details } = fromBinary(StatusSchema, bytes, { readUnknownFields: false });
    return { inDetails: { code, message }, details: details.map(anyJson) };
  } catch (error) {
    return { detailsProblem: error instanceof Error ? error.message : String(error) };
  }
}

function readDetails(fields: RawHeaders): Details {
  // Padding is optional; a proxy may have joined two values with a comma.
  const binary = header(fields, 'grpc-status-details-bin')?.split(',')[0]?.trim();
  if (binary !== undefined) return readBinary(binary);
  const json = header(fields, jsonDetails);
  if (json === undefined) return {};
  try {
    const details: Json = JSON.parse(json);
    return Array.isArray(details) ? { details } : { detailsProblem: 'no array' };
  } catch {
    return { detailsProblem: 'no JSON' };
  }
}

/**
 * The status of a call: in its trailers, or, where there was no message, in the head (a trailers-only response).
 * Undefined where none was seen: then the end of the call is not known either.
 */
export function grpcStatus(
  { headers }: Pick<CapturedResponse, 'headers'>,
  trailers: RawHeaders | undefined,
): GrpcStatus | undefined {
  const inTrailers = header(trailers ?? [], 'grpc-status') !== undefined;
  const fields = inTrailers ? (trailers ?? []) : headers;
  const text = header(fields, 'grpc-status')?.trim();
  if (text === undefined) return undefined;
  const code = /^\d{1,3}$/.test(text) ? Number(text) : undefined;
  const message = header(fields, 'grpc-message');
  return {
    text,
    code,
    name: code === undefined ? undefined : grpcStatusNames[code],
    message: message === undefined ? undefined : percentDecode(message),
    from: inTrailers ? 'trailers' : 'head',
    ...readDetails(fields),
  };
}
