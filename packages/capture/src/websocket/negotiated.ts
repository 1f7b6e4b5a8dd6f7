import { header, headerValues, type RawHeaders, type Side } from '@plugfest/model';

/** What both sides of a WebSocket have agreed on. */
export interface Negotiated {
  /** Messages may be compressed (RFC 7692). */
  readonly deflate: boolean;
  /** Sides whose messages are each compressed by themselves. */
  readonly withoutContext: ReadonlySet<Side>;
  readonly subprotocol: string | undefined;
}

/** What the head of a 101 says of a WebSocket; undefined where another protocol was switched to, or none. */
export function negotiated(status: number, headers: RawHeaders): Negotiated | undefined {
  if (status !== 101 || header(headers, 'upgrade')?.trim().toLowerCase() !== 'websocket') return undefined;
  const extensions = headerValues(headers, 'sec-websocket-extensions').join(',').split(',');
  const parts = extensions.map((extension) => extension.split(';').map((part) => part.trim().toLowerCase()));
  const deflate = parts.find(([name]) => name === 'permessage-deflate');
  const withoutContext = new Set<Side>();
  if (deflate?.includes('client_no_context_takeover')) withoutContext.add('request');
  if (deflate?.includes('server_no_context_takeover')) withoutContext.add('response');
  return {
    deflate: deflate !== undefined,
    withoutContext,
    subprotocol: header(headers, 'sec-websocket-protocol'),
  };
}
