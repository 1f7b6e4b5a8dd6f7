import type { Json, Operation, ProtocolVersion } from '@plugfest/model';
import type { DecodedExchange } from './decoded.ts';
import { versionOfPackage } from './grpc/schemas.ts';
import { grpcMethod, jsonRpcMethod } from './operations.ts';
import { shapeVersion } from './shape.ts';
import { versionOf } from './version.ts';

/** What is known about the callee beyond this exchange. It decides only what the exchange leaves open. */
export interface PeerContext {
  /** Version shown by other calls between the two, or by the interface of the callee's card at this URL. */
  readonly version?: ProtocolVersion;
  /** Paths of the callee's HTTP+JSON interface URLs, without trailing slash (`''` for the root). */
  readonly basePaths?: readonly string[];
}

export type DecidedBy = NonNullable<DecodedExchange['decidedBy']>;

export interface VersionDecision {
  readonly version: ProtocolVersion;
  readonly decidedBy: DecidedBy;
}

/**
 * The version of a JSON-RPC call. The method's name comes first: a PascalCase method without `A2A-Version` is a 1.0
 * client that forgot the header, and `message/send` under `A2A-Version: 1.0` is still 0.x on the wire. The header
 * decides among the versions that share a name, then the shape of the result, then the peer.
 */
export function jsonRpcVersion(
  method: unknown,
  a2aVersion: string | undefined,
  result: () => Json | undefined,
  peer: PeerContext | undefined,
): VersionDecision {
  const announced = versionOf(a2aVersion);
  const known = typeof method === 'string' ? jsonRpcMethod(method) : undefined;
  if (known !== undefined) {
    const { versions } = known;
    if (announced !== undefined && versions.includes(announced)) {
      return { version: announced, decidedBy: 'header' };
    }
    const [newest] = versions;
    if (newest !== undefined && versions.length === 1) return { version: newest, decidedBy: 'method' };
    const fits = peer?.version !== undefined && versions.includes(peer.version) ? peer.version : undefined;
    if (!versions.includes('0.1')) {
      return fits === '0.2' ? { version: '0.2', decidedBy: 'peer' } : { version: '0.3', decidedBy: 'method' };
    }
    const shape = shapeVersion(result());
    if (shape === '0.1') return { version: '0.1', decidedBy: 'shape' };
    if (shape === '0.3') return { version: fits === '0.2' ? '0.2' : '0.3', decidedBy: 'shape' };
    return fits === undefined
      ? { version: '0.3', decidedBy: 'default' }
      : { version: fits, decidedBy: 'peer' };
  }
  if (announced !== undefined) return { version: announced, decidedBy: 'header' };
  if (typeof method === 'string' && /^[A-Z][A-Za-z0-9]*$/.test(method)) {
    return { version: '1.0', decidedBy: 'method' };
  }
  if (peer?.version !== undefined) return { version: peer.version, decidedBy: 'peer' };
  // Names of the form category/action are the style of 0.x (0.3 section 3.5.1).
  if (typeof method === 'string' && method.includes('/')) return { version: '0.3', decidedBy: 'method' };
  // An absent version means 0.3 (A2A 1.0 section 3.6.2).
  return { version: '0.3', decidedBy: 'default' };
}

/** What of a REST path says something about the version. */
export interface RestPath {
  /** Path before the operation's own part, without `/v1`. */
  readonly base: string;
  readonly v1: boolean;
  /** The 0.2 path of the extended card. */
  readonly legacyCard?: boolean;
}

/**
 * The version of an HTTP+JSON call: the header, or else `/v1` right after the interface's base path, which 0.3 has
 * and 1.0 has not. Without the header and without `/v1` it is a 1.0 client that forgot the header.
 */
export function restVersion(
  path: RestPath,
  a2aVersion: string | undefined,
  peer: PeerContext | undefined,
): VersionDecision {
  const announced = versionOf(a2aVersion);
  if (announced !== undefined && announced !== '0.1') return { version: announced, decidedBy: 'header' };
  if (path.legacyCard === true) return { version: '0.2', decidedBy: 'path' };
  if (!path.v1) return { version: '1.0', decidedBy: 'path' };
  if (peer?.version === '1.0' && peer.basePaths === undefined) return { version: '1.0', decidedBy: 'peer' };
  // A 1.0 interface URL may itself end in /v1 (A2A 1.0 section 11.3).
  if (peer?.basePaths?.includes(`${path.base}/v1`) === true && peer.version !== '0.3') {
    return { version: '1.0', decidedBy: 'peer' };
  }
  if (peer?.version === '0.2') return { version: '0.2', decidedBy: 'peer' };
  return { version: '0.3', decidedBy: 'path' };
}

const rpcPath = /^\/(?:([\w.]+)\.)?A2AService\/\w+$/i;

/**
 * What a gRPC call is by its path. The package decides the version, whatever the metadata say, because it decides what
 * the bytes mean; 0.2 shares that of 0.3. A call to some other `A2AService` is a call that went astray.
 */
export function grpcCall(
  path: string,
  a2aVersion: string | undefined,
  peer: PeerContext | undefined,
): (VersionDecision & { readonly operation: Operation | undefined }) | undefined {
  const method = grpcMethod(path);
  const announced = versionOf(a2aVersion);
  if (method !== undefined) {
    if (method.version === '0.3' && announced === '0.2')
      return { ...method, version: '0.2', decidedBy: 'header' };
    if (method.version === '0.3' && announced === undefined && peer?.version === '0.2')
      return { ...method, version: '0.2', decidedBy: 'peer' };
    return { ...method, decidedBy: 'path' };
  }
  const astray = rpcPath.exec(path);
  if (astray === null) return undefined;
  const byPackage = versionOfPackage(astray[1] ?? '');
  if (byPackage !== undefined) return { operation: undefined, version: byPackage, decidedBy: 'path' };
  if (announced !== undefined) return { operation: undefined, version: announced, decidedBy: 'header' };
  if (peer?.version !== undefined) return { operation: undefined, version: peer.version, decidedBy: 'peer' };
  return { operation: undefined, version: '1.0', decidedBy: 'default' };
}
