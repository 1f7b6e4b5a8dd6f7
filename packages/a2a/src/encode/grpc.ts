import { encodeGrpcMessage } from '../grpc/encode.ts';
import { wireMethodOf } from '../operations.ts';
import { legacyProtoParams } from './legacy-proto.ts';
import type { RequestSpec } from './spec.ts';

/** A gRPC call ready to be sent over HTTP/2. Header names are in lower case. */
export interface EncodedGrpcCall {
  /** `:path`, e.g. `/lf.a2a.v1.A2AService/GetTask`. */
  readonly path: string;
  /** What HTTP/2 needs for gRPC, and the metadata of A2A (A2A 1.0 section 10.2). */
  readonly headers: Readonly<Record<string, string>>;
  /** The message in its frame. */
  readonly body: Uint8Array;
}

/** Of any gRPC call. Answers come uncompressed to whoever says so. */
export const grpcHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/grpc+proto',
  te: 'trailers',
  'grpc-accept-encoding': 'identity',
};

/**
 * Writes one call over gRPC, 1.0 (section 10) or 0.3 (section 3.2.2). Throws where the version has no such call, or
 * its message cannot say the params.
 */
export function encodeGrpcCall(spec: Omit<RequestSpec, 'id' | 'baseUrl'>): EncodedGrpcCall {
  const { dialect, operation, tenant, params = {} } = spec;
  const path = wireMethodOf(dialect, operation);
  const modern = dialect.version === '1.0';
  const message = modern
    ? tenant === undefined
      ? params
      : { tenant, ...params }
    : legacyProtoParams(operation, params);
  const body = path === undefined ? undefined : encodeGrpcMessage(path, 'request', message);
  if (path === undefined || body === undefined)
    throw new Error(`Plugfest does not write this ${operation} as ${dialect.binding} ${dialect.version}`);
  return { path, headers: { ...grpcHeaders, ...(modern ? { 'a2a-version': '1.0' } : {}) }, body };
}
