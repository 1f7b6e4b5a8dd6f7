import type {
  CapturedBody,
  CapturedChunk,
  CapturedExchange,
  CapturedRequest,
  CapturedResponse,
  Change,
  Edge,
  EndKind,
  ExchangeId,
  Purpose,
  RawHeaders,
} from '@plugfest/model';
import { cellId, connectionId } from '@plugfest/model';
import { lossesOf } from '../losses.ts';

/** A body while its chunks are gathered. */
export interface BodyParts {
  readonly chunks: CapturedChunk[];
  totalBytes: number;
  lostBytes: number;
  /** What its chunks hold, whatever was on the wire. */
  heldBytes: number;
  endedAtNs: number | undefined;
}

export const emptyBody = (): BodyParts => ({
  chunks: [],
  totalBytes: 0,
  lostBytes: 0,
  heldBytes: 0,
  endedAtNs: undefined,
});

/** One exchange in pieces, wherever they came from. */
export interface ExchangeParts {
  readonly id: ExchangeId;
  readonly seq: number;
  readonly atNs: number;
  readonly edge: Edge;
  readonly cell: string | null | undefined;
  readonly purpose: Purpose;
  readonly connection: string | null | undefined;
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly losses: number;
  readonly headers: RawHeaders;
  readonly forwarded: RawHeaders | undefined;
  response: ResponseHead | undefined;
  end: { kind: EndKind; atNs?: number; detail?: string };
  readonly requestBody: BodyParts;
  readonly responseBody: BodyParts;
  requestTrailers: RawHeaders | undefined;
  responseTrailers: RawHeaders | undefined;
  readonly changes: readonly Change[];
}

export interface ResponseHead {
  readonly atNs: number;
  readonly status: number;
  readonly reason: string | null | undefined;
  readonly httpVersion: string;
  readonly headers: RawHeaders;
  readonly forwarded: RawHeaders | undefined;
}

function body({ chunks, totalBytes, lostBytes, endedAtNs }: BodyParts): CapturedBody {
  const storedBytes = totalBytes - lostBytes;
  return endedAtNs === undefined
    ? { chunks, totalBytes, storedBytes }
    : { chunks, totalBytes, storedBytes, endedAtNs };
}

/** Puts an exchange together; members that nothing was recorded of are absent, never undefined. */
export function assemble(parts: ExchangeParts): CapturedExchange {
  const request: CapturedRequest = {
    atNs: parts.atNs,
    method: parts.method,
    target: parts.target,
    httpVersion: parts.httpVersion,
    headers: parts.headers,
    ...(parts.forwarded === undefined ? undefined : { forwardedHeaders: parts.forwarded }),
    body: body(parts.requestBody),
    ...(parts.requestTrailers === undefined ? undefined : { trailers: parts.requestTrailers }),
  };
  const { response: head } = parts;
  const response: CapturedResponse | undefined = head && {
    atNs: head.atNs,
    status: head.status,
    ...(head.reason === null || head.reason === undefined ? undefined : { reason: head.reason }),
    httpVersion: head.httpVersion,
    headers: head.headers,
    ...(head.forwarded === undefined ? undefined : { forwardedHeaders: head.forwarded }),
    body: body(parts.responseBody),
    ...(parts.responseTrailers === undefined ? undefined : { trailers: parts.responseTrailers }),
  };
  return {
    id: parts.id,
    seq: parts.seq,
    edge: parts.edge,
    ...(parts.cell === null || parts.cell === undefined ? undefined : { cell: cellId(parts.cell) }),
    purpose: parts.purpose,
    ...(parts.connection === null || parts.connection === undefined
      ? undefined
      : { connection: connectionId(parts.connection) }),
    request,
    ...(response === undefined ? undefined : { response }),
    end: parts.end,
    changes: parts.changes,
    ...lossesOf(parts.losses),
  };
}
