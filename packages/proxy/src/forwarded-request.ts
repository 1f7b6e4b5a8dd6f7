import { type Change, type ExchangeId, spanIdOf } from '@plugfest/model';
import { forwardHead } from './forwarded-head.ts';
import type { InboundRequest } from './inbound-request.ts';
import { addLoopMark } from './loop-mark.ts';
import type { RequestPlan } from './rewriting/rewriter.ts';
import type { TapContext } from './tap-context.ts';
import { injectTraceContext } from './trace-injection.ts';

/** A request as it goes to the callee. */
export interface ForwardedRequest {
  readonly path: string;
  readonly headers: readonly string[];
  /** What differs from the request received; undefined where nothing does. */
  readonly changes: readonly Change[] | undefined;
  /** Set where the request, or its answer, may have to be rewritten. */
  readonly plan: RequestPlan | undefined;
}

const absoluteForm = /^https?:\/\/[^/?#]*/i;

/** Target for an origin server: an absolute form loses scheme and authority; everything else stays as it is. */
function originFormOf(target: string): string {
  if (target.startsWith('/')) return target;
  const authority = absoluteForm.exec(target)?.[0];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Credentials for a proxy are for the next one, which we are (RFC 9110 section 11.7.2). */
function dropProxyFields(headers: string[], changes: Change[]): void {
  for (let i = headers.length - 2; i >= 0; i -= 2) {
    const where = headers[i] ?? '';
    if (where.toLowerCase() !== 'proxy-authorization') continue;
    const [, before = ''] = headers.splice(i, 2);
    changes.push({ side: 'request', place: 'header', where, before, reason: 'hop-by-hop' });
  }
}

/** The host that an absolute form names; undefined for any other form. */
function hostOf(target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  const authority = absoluteForm.exec(target)?.[0].replace(/^https?:\/\//i, '');
  return authority?.slice(authority.lastIndexOf('@') + 1);
}

/**
 * Puts right what of HTTP/2's own fields is not yet: `:path` is where the request goes, and `:authority` says what
 * `Host` does where it is not there, since Node.js would name the connection's (RFC 9113 section 8.3.1).
 */
function completePseudoFields(headers: string[], path: string, changes: Change[]): void {
  let [end, pathAt, authorityAt, hostAt] = [0, -1, -1, -1];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (name.startsWith(':')) end = i + 2;
    if (name === ':path') pathAt = i;
    else if (name === ':authority') authorityAt = i;
    else if (name === 'host' && hostAt === -1) hostAt = i;
  }
  if (pathAt !== -1) headers[pathAt + 1] = path;
  if (authorityAt !== -1 || hostAt === -1) return;
  const after = headers[hostAt + 1] ?? '';
  headers.splice(end, 0, ':authority', after);
  changes.push({ side: 'request', place: 'header', where: ':authority', after, reason: 'host' });
}

/** Works out what a request becomes on its way through a tap. */
export function forwardRequest(
  request: InboundRequest,
  exchange: ExchangeId,
  tap: TapContext,
): ForwardedRequest {
  const { method, target, rawHeaders: received } = request;
  const originForm = originFormOf(target);
  // A delivery to a URL that a tap sealed goes where the URL says, under the name that it has there.
  const opened = tap.deliveries?.open(originForm);
  const path = opened?.target ?? originForm;
  // The target says which host is meant, whatever `Host` says (RFC 9112 section 3.2.2).
  const host = opened?.host ?? tap.host ?? hostOf(target);
  const forwarded = forwardHead(received, {
    side: 'request',
    host,
    keepsUpgrade: request.upgrade !== undefined,
    scheme: received[0]?.startsWith(':') ? tap.target.protocol.slice(0, -1) : undefined,
  });
  const { headers } = forwarded;
  const changes: Change[] = [...forwarded.changes];
  if (received[0]?.startsWith(':')) completePseudoFields(headers, path, changes);
  if (request.framing.hosts === 0) {
    // HTTP/1.0 may do without, but it goes on as HTTP/1.1 (RFC 9112 section 3.2).
    const after = host ?? tap.target.authority;
    headers.unshift('Host', after);
    changes.push({ side: 'request', place: 'header', where: 'Host', after, reason: 'host' });
  }
  if (tap.isProxy) dropProxyFields(headers, changes);
  if (path !== target) {
    const reason = opened === undefined ? 'origin-form' : 'webhook-url';
    changes.push({ side: 'request', place: 'target', before: target, after: path, reason });
  }
  let plan: RequestPlan | undefined;
  if (tap.rewriter !== undefined) {
    plan = tap.rewriter.plan(method, path, headers);
    if (plan?.answer?.within === 'root' && method !== 'POST')
      changes.push(...tap.rewriter.mapConditions(headers));
  }
  if (tap.loopMark !== undefined) {
    changes.push(addLoopMark(headers, request.httpVersion, tap.loopMark));
  }
  const { traceId } = tap.assignment;
  if (traceId !== undefined) {
    const spanId = spanIdOf(tap.run, exchange, 'client');
    changes.push(...injectTraceContext(headers, { traceId, spanId, exchange }));
  }
  return changes.length === 0
    ? { path, headers: received, changes: undefined, plan }
    : { path, headers, changes, plan };
}
