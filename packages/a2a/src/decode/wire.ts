import { type CapturedExchange, contentType, type Dialect, header, type Operation } from '@plugfest/model';
import { readJsonBody } from '../body.ts';
import type { DecodedExchange, DecodedRequest, DecodedResponse, JsonBody, Payload } from '../decoded.ts';
import type { DecidedBy, PeerContext } from '../dialect.ts';
import { absentBody } from '../json-text.ts';
import type { Place } from '../payloads.ts';
import { parseTarget, type Target } from '../target.ts';

/** The request as read from the wire, before it is known what it is. */
export interface Wire {
  readonly captured: CapturedExchange;
  readonly peer: PeerContext | undefined;
  readonly verb: string;
  readonly target: Target;
  readonly mediaType: string;
  readonly json: JsonBody;
  readonly a2aVersion: string | undefined;
  readonly a2aVersionFrom: DecodedRequest['a2aVersionFrom'];
}

export function readWire(captured: CapturedExchange, peer: PeerContext | undefined, withBody: boolean): Wire {
  const { request } = captured;
  const target = parseTarget(request.target);
  const type = contentType(request.headers);
  const fromHeader = header(request.headers, 'a2a-version');
  const fromQuery =
    fromHeader === undefined
      ? target.query.find(([name]) => name.toLowerCase() === 'a2a-version')?.[1]
      : undefined;
  return {
    captured,
    peer,
    verb: request.method,
    target,
    mediaType: type,
    json: withBody ? readRequestBody(captured, type) : absentBody,
    a2aVersion: fromHeader ?? fromQuery,
    a2aVersionFrom: fromHeader !== undefined ? 'header' : fromQuery !== undefined ? 'query' : undefined,
  };
}

/** A request without body bytes and without a length announces none, ended or not. */
function readRequestBody({ request }: CapturedExchange, type: string): JsonBody {
  if (request.body.totalBytes === 0) {
    const length = header(request.headers, 'content-length');
    const announced =
      (length !== undefined && length.trim() !== '0') ||
      header(request.headers, 'transfer-encoding') !== undefined;
    if (!announced) return absentBody;
  }
  return readJsonBody(request.body, request.headers, type);
}

/** What an exchange turned out to be. */
export interface Meaning {
  readonly kind: DecodedExchange['kind'];
  readonly dialect: Dialect | undefined;
  readonly decidedBy: DecidedBy | undefined;
  readonly operation: Operation | undefined;
  readonly wireMethod: string | undefined;
  readonly rpc: DecodedRequest['rpc'];
  readonly params: DecodedRequest['params'];
  readonly pointer: string;
  readonly response: DecodedResponse | undefined;
  readonly payloads: readonly Payload[];
  /** gRPC: messages of the request. */
  readonly messages?: number;
}

export function assemble(wire: Wire, meaning: Meaning): DecodedExchange {
  return {
    captured: wire.captured,
    kind: meaning.kind,
    dialect: meaning.dialect,
    decidedBy: meaning.decidedBy,
    operation: meaning.operation,
    wireMethod: meaning.wireMethod,
    request: {
      mediaType: wire.mediaType,
      json: wire.json,
      rpc: meaning.rpc,
      params: meaning.params,
      pointer: meaning.pointer,
      path: wire.target.path,
      query: wire.target.query,
      a2aVersion: wire.a2aVersion,
      a2aVersionFrom: wire.a2aVersionFrom,
      ...(meaning.messages === undefined ? {} : { messages: meaning.messages }),
    },
    response: meaning.response,
    payloads: meaning.payloads,
  };
}

export const requestPlace = ({ request }: CapturedExchange): Place => ({
  side: 'request',
  atNs: request.body.endedAtNs ?? request.body.chunks.at(-1)?.atNs ?? request.atNs,
});

export const responsePlace = ({ request, response }: CapturedExchange): Place => ({
  side: 'response',
  atNs: response?.body.endedAtNs ?? response?.body.chunks.at(-1)?.atNs ?? response?.atNs ?? request.atNs,
});
