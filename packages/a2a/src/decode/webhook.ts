import { isJsonObject, type Json, type ProtocolVersion } from '@plugfest/model';
import type { PeerContext, VersionDecision } from '../dialect.ts';
import { legacyKinds, looksLikeTask, shapeVersion } from '../shape.ts';

/** What a delivery carries: the body, or the result of a JSON-RPC response that a sender wrapped it in. */
export function deliveryPayload(body: Json | undefined): {
  readonly value: Json | undefined;
  readonly pointer: string;
} {
  if (isJsonObject(body) && 'jsonrpc' in body && isJsonObject(body.result)) {
    return { value: body.result, pointer: '/result' };
  }
  return { value: body, pointer: '' };
}

/**
 * True where a POST body is a push delivery by its shape: a StreamResponse, or a task or event of 0.x. A user's
 * message is none, it is a send that went astray.
 */
export function looksLikeDelivery(body: Json | undefined): boolean {
  const { value } = deliveryPayload(body);
  if (!isJsonObject(value) || typeof value.method === 'string') return false;
  if (legacyKinds.has(value.kind)) return value.kind !== 'message' || value.role === 'agent';
  if (isJsonObject(value.task) || isJsonObject(value.statusUpdate) || isJsonObject(value.artifactUpdate)) {
    return true;
  }
  const message = value.message;
  if (isJsonObject(message) && (message.role === 'ROLE_AGENT' || message.role === 'agent')) return true;
  return looksLikeTask(value);
}

/** The version of a delivery: no header announces it, so shape first, then the version its config came in. */
export function deliveryVersion(body: Json | undefined, peer: PeerContext | undefined): VersionDecision {
  const shape = shapeVersion(deliveryPayload(body).value);
  const older: readonly ProtocolVersion[] = ['0.2', '0.3'];
  if (shape === '0.3' && peer?.version !== undefined && older.includes(peer.version)) {
    return { version: peer.version, decidedBy: 'shape' };
  }
  if (shape !== undefined) return { version: shape, decidedBy: 'shape' };
  return peer?.version === undefined
    ? { version: '1.0', decidedBy: 'default' }
    : { version: peer.version, decidedBy: 'peer' };
}
