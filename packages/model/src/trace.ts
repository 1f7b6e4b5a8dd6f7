import { createHash } from 'node:crypto';
import type { EdgeKind, EndKind } from './capture.ts';
import type { CellId, ExchangeId, RunId } from './ids.ts';
import type { Binding, Operation, ProtocolVersion, TaskState } from './protocol.ts';

const hex = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** Trace id of a cell (32 hex digits); derived, so that traces can be regenerated from the log. */
export function traceIdOf(run: RunId, cell: CellId | undefined): string {
  return hex(`${run}|${cell ?? ''}`, 32);
}

/** Span id (16 hex digits) of one side of an exchange: `server` is caller → proxy, `client` is proxy → callee. */
export function spanIdOf(run: RunId, exchange: ExchangeId, side: 'server' | 'client'): string {
  return hex(`${run}|${exchange}|${side}`, 16);
}

/** Span id of the span that stands for a whole cell; the parent of the hops that nothing recorded caused. */
export function cellSpanIdOf(run: RunId, cell: CellId | undefined): string {
  return hex(`${run}|${cell ?? ''}|cell`, 16);
}

/** A `traceparent` header (W3C Trace Context), sampled. */
export function traceparentOf(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}

/** What a `traceparent` names, in lower-case hex of 32 and 16 digits. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Parses a `traceparent`; undefined where it is not valid (W3C Trace Context section 3.2.2). */
export function parseTraceparent(value: string | undefined): TraceContext | undefined {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(value?.trim() ?? '');
  if (!match || match[1] === 'ff' || (match[1] === '00' && match[4] !== undefined)) return undefined;
  const [, , traceId = '', spanId = ''] = match;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId };
}

const ourMember = 'plugfest';

/**
 * A `tracestate` that names our span beside what was received. An agent that makes spans of its own replaces the
 * span id in `traceparent`, but has to hand on `tracestate` (W3C Trace Context section 3.4), so this comes back.
 */
export function tracestateOf(spanId: string, received?: string): string {
  const others = (received ?? '')
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '' && !member.startsWith(`${ourMember}=`));
  return [`${ourMember}=${spanId}`, ...others.slice(0, 31)].join(',');
}

/** The span id that `tracestateOf` put there; undefined where there is none. */
export function spanIdOfTracestate(value: string | undefined): string | undefined {
  return /(?:^|,)[ \t]*plugfest=([0-9a-f]{16})[ \t]*(?:,|$)/.exec(value ?? '')?.[1];
}

/** What a decoded exchange says, as far as linking and tracing need it. */
export interface ExchangeSummary {
  readonly id: ExchangeId;
  readonly seq: number;
  readonly cell?: CellId;
  readonly caller: string;
  readonly callee: string;
  readonly edgeKind: EdgeKind;
  readonly kind: 'card' | 'operation' | 'webhook' | 'other';
  readonly method: string;
  readonly target: string;
  readonly operation?: Operation;
  readonly wireMethod?: string;
  readonly binding?: Binding;
  readonly version?: ProtocolVersion;
  readonly startNs: number;
  /** First byte of the response head. */
  readonly responseNs?: number;
  /** Last thing seen of this exchange. */
  readonly endNs: number;
  readonly end: EndKind;
  readonly status?: number;
  /** JSON-RPC or gRPC code, or the A2A error's reason. */
  readonly errorCode?: string;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** SSE events or gRPC messages of the response. */
  readonly events: readonly { readonly atNs: number; readonly kind: string; readonly state?: TaskState }[];
  readonly taskIds: readonly string[];
  readonly contextIds: readonly string[];
  /** Ids of messages the request carried. */
  readonly messageIds: readonly string[];
  readonly referenceTaskIds: readonly string[];
  /** Keyed token or digest of push tokens and credentials: equality is all that can be asked of it. */
  readonly pushTokens: readonly string[];
  /** Webhook URLs registered by this request, or the URL a delivery went to. */
  readonly pushUrls: readonly string[];
  /** SHA-256 (hex) of each normalised text part, and string in a data part, of 16 characters or more. */
  readonly partDigests: readonly string[];
  readonly state?: TaskState;
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** `traceparent` as forwarded, where the proxy added or changed it. */
  readonly forwardedTraceparent?: string;
}

/** How a hop was tied to the one that caused it, strongest first. */
export type LinkMethod =
  | 'span-id'
  | 'trace-id'
  | 'listener'
  | 'protocol-id'
  | 'part-digest'
  | 'sole-open-call'
  | 'none';

/** Which call caused another one, and how that was found out. */
export interface HopLink {
  readonly exchange: ExchangeId;
  /** The exchange that caused this one; absent where nothing decides. */
  readonly parent?: ExchangeId;
  readonly method: LinkMethod;
  /** From 0 to 1. */
  readonly confidence: number;
  /** Other causes, e.g. the push config beside the send; for `none`: the candidates. */
  readonly also: readonly { readonly exchange: ExchangeId; readonly reason: string }[];
}

/** What an agent does with trace context it is given. */
export type Propagation = 'propagates' | 'restarts' | 'drops' | 'copies' | 'not-exercised';

/** What an agent does with the trace context that it is given. */
export interface PropagationVerdict {
  readonly agent: string;
  readonly verdict: Propagation;
  /** Downstream hops and webhook deliveries that decided it. */
  readonly hops: number;
}
