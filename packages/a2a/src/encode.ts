import type { Dialect, Operation } from '@plugfest/model';
import { encodeJsonRpc } from './encode/jsonrpc.ts';
import { encodeRest } from './encode/rest.ts';
import type { EncodedRequest, RequestSpec } from './encode/spec.ts';
import { wireMethodOf } from './operations.ts';

/** True for the dialects and operations that `encodeRequest` can write. */
export function canEncode(dialect: Dialect, operation: Operation): boolean {
  const { version, binding } = dialect;
  const written = binding !== 'GRPC' && (version === '1.0' || version === '0.3');
  return written && wireMethodOf(dialect, operation) !== undefined;
}

/** Writes one call on the wire of a dialect. Throws for what `canEncode` denies. */
export function encodeRequest(spec: RequestSpec): EncodedRequest {
  if (!canEncode(spec.dialect, spec.operation)) {
    const { version, binding } = spec.dialect;
    throw new Error(`Plugfest does not write ${spec.operation} as ${binding} ${version}`);
  }
  return spec.dialect.binding === 'JSONRPC' ? encodeJsonRpc(spec) : encodeRest(spec);
}
