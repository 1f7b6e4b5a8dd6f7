import { type Change, parseTraceparent, type RawHeaders, traceparentOf } from '@plugfest/model';

/** The proxy's own place in the trace: the span of its client side of this exchange. */
export interface InjectedContext {
  /** Trace to start where the request carries none. */
  readonly traceId: string;
  readonly spanId: string;
  readonly exchange: string;
}

const maxTracestateMembers = 32;

const indexOfHeader = (headers: RawHeaders, name: string): number => {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.length === name.length && headers[i]?.toLowerCase() === name) return i;
  }
  return -1;
};

/**
 * Puts the proxy's span into a request (W3C Trace Context sections 3.2 and 3.3): a valid `traceparent` keeps
 * its trace id and flags and gets our span as parent; an absent or invalid one is replaced by ours. Our
 * member goes first in `tracestate`. Edits `headers` in place and returns what it changed.
 */
export function injectTraceContext(headers: string[], context: InjectedContext): Change[] {
  const changes: Change[] = [];
  const set = (index: number, name: string, after: string): void => {
    const before = index === -1 ? undefined : headers[index + 1];
    const where = index === -1 ? name : (headers[index] ?? name);
    if (index === -1) headers.push(name, after);
    else headers[index + 1] = after;
    changes.push({
      side: 'request',
      place: 'header',
      where,
      ...(before === undefined ? {} : { before }),
      after,
      reason: 'traceparent',
    });
  };

  const parentAt = indexOfHeader(headers, 'traceparent');
  const received = parentAt === -1 ? undefined : headers[parentAt + 1];
  const parent = parseTraceparent(received);
  if (parent === undefined) set(parentAt, 'traceparent', traceparentOf(context.traceId, context.spanId));
  else {
    const flags = received?.trim().slice(53, 55) ?? '01';
    set(parentAt, 'traceparent', `00-${parent.traceId}-${context.spanId}-${flags}`);
  }

  const stateAt = indexOfHeader(headers, 'tracestate');
  // The state of a trace that is not continued has no meaning (section 3.3).
  const others =
    stateAt === -1 || parent === undefined
      ? []
      : (headers[stateAt + 1] ?? '')
          .split(',')
          .map((member) => member.trim())
          .filter((member) => member !== '' && !member.startsWith('plugfest='));
  const members = [`plugfest=${context.exchange}`, ...others].slice(0, maxTracestateMembers);
  set(stateAt, 'tracestate', members.join(','));
  return changes;
}
