import type { CapturedExchange, CaptureEvent, CaptureSink, RawHeaders } from '@plugfest/model';
import { edgeId, exchangeId } from '@plugfest/model';

const edge = edgeId('client -> agent');

/** Records the participants and the edge that the exchanges of `recordExchange` belong to. */
export function recordEdge(sink: CaptureSink): void {
  sink.record({ kind: 'participant', participant: { name: 'client', kind: 'agent', about: 'test' } });
  sink.record({ kind: 'participant', participant: { name: 'agent', kind: 'agent' } });
  sink.record({
    kind: 'edge',
    edge: {
      id: edge,
      caller: 'client',
      callee: 'agent',
      kind: 'a2a',
      mode: 'alias',
      upstream: 'http://agent:80',
    },
  });
}

export interface TestExchange {
  readonly id: string;
  readonly target?: string;
  readonly request?: { readonly headers?: RawHeaders; readonly chunks?: readonly (string | Uint8Array)[] };
  readonly response?: { readonly headers?: RawHeaders; readonly chunks?: readonly (string | Uint8Array)[] };
  /** `open`: no end is recorded. */
  readonly end?: Extract<CaptureEvent, { kind: 'end' }>['end'] | 'open';
}

/** The events of one exchange, as a proxy would record them. */
export function eventsOf({
  id,
  target = '/a2a',
  request,
  response,
  end = 'complete',
}: TestExchange): CaptureEvent[] {
  const exchange = exchangeId(id);
  const events: CaptureEvent[] = [
    {
      kind: 'request-head',
      exchange,
      edge,
      method: 'POST',
      target,
      httpVersion: '1.1',
      headers: request?.headers ?? ['Content-Type', 'application/json'],
    },
  ];
  for (const bytes of request?.chunks ?? [])
    events.push({ kind: 'chunk', exchange, side: 'request', bytes: Buffer.from(bytes as Uint8Array) });
  events.push({ kind: 'body-end', exchange, side: 'request' });
  events.push({
    kind: 'response-head',
    exchange,
    status: 200,
    reason: 'OK',
    httpVersion: '1.1',
    headers: response?.headers ?? ['Content-Type', 'application/json'],
  });
  for (const bytes of response?.chunks ?? [])
    events.push({ kind: 'chunk', exchange, side: 'response', bytes: Buffer.from(bytes as Uint8Array) });
  if (end === 'complete') events.push({ kind: 'body-end', exchange, side: 'response' });
  if (end !== 'open') events.push({ kind: 'end', exchange, end });
  return events;
}

export function recordExchange(sink: CaptureSink, exchange: TestExchange): void {
  for (const event of eventsOf(exchange)) sink.record(event);
}

/** Body of one side in one piece. */
export const bodyOf = (exchange: CapturedExchange | undefined, side: 'request' | 'response'): Buffer =>
  Buffer.concat(exchange?.[side]?.body.chunks.map(({ bytes }) => bytes) ?? []);
