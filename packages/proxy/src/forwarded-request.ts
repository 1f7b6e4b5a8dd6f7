import type { IncomingMessage } from 'node:http';
import { type Change, type ExchangeId, spanIdOf } from '@plugfest/model';
import { type CardRequest, cardRequestOf } from './cards/card-request.ts';
import { forwardHead } from './forwarded-head.ts';
import type { TapContext } from './tap-context.ts';
import { injectTraceContext } from './trace-injection.ts';

/** How a request's body is framed. */
export interface RequestFraming {
  /** Bytes of the body; 0 where there is none, or where it is chunked. */
  readonly length: number;
  readonly chunked: boolean;
  /** True where the client waits for a 100 before it sends the body. */
  readonly expects: boolean;
  /** Number of `Host` fields. */
  readonly hosts: number;
}

/** A request as it goes to the callee. */
export interface ForwardedRequest {
  readonly path: string;
  readonly headers: readonly string[];
  /** What differs from the request received; undefined where nothing does. */
  readonly changes: readonly Change[] | undefined;
  /** Set where the request asks for a card by its path. */
  readonly card: CardRequest | undefined;
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

/** Framing of a request that Node's parser has accepted. */
export function framingOf(headers: readonly string[]): RequestFraming {
  let length = 0;
  let chunked = false;
  let expects = false;
  let hosts = 0;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') hosts++;
        break;
      case 6:
        if (name.toLowerCase() === 'expect') expects = true;
        break;
      case 14:
        if (name.toLowerCase() === 'content-length') length = Number(headers[i + 1]);
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') chunked = true;
        break;
    }
  }
  return { length, chunked, expects, hosts };
}

/** Works out what a request becomes on its way through a tap. */
export function forwardRequest(
  request: IncomingMessage,
  exchange: ExchangeId,
  tap: TapContext,
): ForwardedRequest {
  const method = request.method ?? '';
  const target = request.url ?? '';
  const received = request.rawHeaders;
  const forwarded = forwardHead(received, { side: 'request', host: tap.host });
  const { headers } = forwarded;
  const changes: Change[] = [...forwarded.changes];
  const path = originFormOf(target);
  if (path !== target) {
    changes.push({ side: 'request', place: 'target', before: target, after: path, reason: 'origin-form' });
  }
  let card: CardRequest | undefined;
  if (tap.cards !== undefined) {
    card = cardRequestOf(method, path);
    if (card !== undefined) changes.push(...tap.cards.mapConditions(headers));
  }
  if (tap.injectTraceId !== undefined) {
    const spanId = spanIdOf(tap.run, exchange, 'client');
    changes.push(...injectTraceContext(headers, { traceId: tap.injectTraceId, spanId, exchange }));
  }
  return changes.length === 0
    ? { path, headers: received, changes: undefined, card }
    : { path, headers, changes, card };
}
