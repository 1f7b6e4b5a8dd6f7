import { isJsonObject, type Json } from '@plugfest/model';
import type { RpcEnvelope } from '../decoded.ts';

const envelopeMembers = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

/** The envelope members of an object, as found; undefined for anything but an object (a batch, a number). */
export function rpcEnvelope(value: Json | undefined): RpcEnvelope | undefined {
  if (!isJsonObject(value)) return undefined;
  return {
    jsonrpc: value.jsonrpc,
    id: value.id,
    method: value.method,
    params: value.params,
    result: value.result,
    error: value.error,
    members: envelopeMembers.filter((member) => Object.hasOwn(value, member)),
  };
}

/** True where a body wants to be a JSON-RPC request, or a batch of them. */
export function looksLikeRpc(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0 && looksLikeRpc(value[0]);
  return isJsonObject(value) && ('jsonrpc' in value || typeof value.method === 'string');
}
