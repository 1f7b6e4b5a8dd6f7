import { type DescMessage, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import type { Json, Side } from '@plugfest/model';
import { rpcOf } from './schemas.ts';

/**
 * A message of a gRPC call from its ProtoJSON, in the frame that HTTP/2 carries. Undefined where the path names no
 * method of A2A, or where its message cannot say the value: a member or an enum value that it does not have.
 */
export function encodeGrpcMessage(path: string, side: Side, value: Json): Uint8Array | undefined {
  const rpc = rpcOf(path);
  if (rpc === undefined) return undefined;
  const type: DescMessage = side === 'request' ? rpc.input : rpc.output;
  try {
    const bytes = toBinary(type, fromJson(type, value as JsonValue));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.byteLength, 1);
    return Buffer.concat([head, bytes]);
  } catch {
    return undefined;
  }
}
