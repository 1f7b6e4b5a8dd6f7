import { header, type RawHeaders } from '@plugfest/model';
import { onceForEach } from '../last-exchange.ts';

/**
 * From where a host can be reached: `nowhere` (an address to listen on), `machine` (loopback), `network` (private
 * addresses and names without a public suffix), `anywhere`.
 */
export type Reach = 'nowhere' | 'machine' | 'network' | 'anywhere';

const privateV4 = /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/;
const internalName = /\.(?:local|internal|lan|home|svc|cluster\.local|localdomain)$/;

/** Reach of a URL's hostname, as the URL parser writes it. */
export function reachOf(hostname: string): Reach {
  if (hostname === '0.0.0.0' || hostname === '[::]') return 'nowhere';
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return 'machine';
  if (/^127\./.test(hostname) || hostname === '[::1]') return 'machine';
  if (hostname.startsWith('[')) return /^\[(?:f[cd]|fe[89ab])/.test(hostname) ? 'network' : 'anywhere';
  if (/^[\d.]+$/.test(hostname)) return privateV4.test(hostname) ? 'network' : 'anywhere';
  return hostname.includes('.') && !internalName.test(hostname) ? 'anywhere' : 'network';
}

/** Where a request went, as far as the capture says. */
export interface AskedOrigin {
  readonly scheme: 'http' | 'https' | undefined;
  readonly hostname: string | undefined;
}

function schemeOf(url: string | undefined): AskedOrigin['scheme'] {
  if (url?.startsWith('https:')) return 'https';
  return url?.startsWith('http:') ? 'http' : undefined;
}

export const askedOrigin = onceForEach(({ captured }): AskedOrigin => {
  const { target, headers } = captured.request;
  const asked = target.startsWith('/') ? null : URL.parse(target);
  if (asked !== null) return { scheme: schemeOf(asked.href), hostname: asked.hostname };
  const host = header(headers, 'host') ?? header(headers, ':authority');
  return {
    scheme: schemeOf(captured.edge.upstream),
    hostname: host === undefined ? undefined : hostnameIn(headers, host),
  };
});

/** By list of header fields, which exchanges share. */
const hostnames = new WeakMap<RawHeaders, { readonly hostname: string | undefined }>();

function hostnameIn(headers: RawHeaders, host: string): string | undefined {
  const before = hostnames.get(headers);
  if (before !== undefined) return before.hostname;
  const hostname = URL.parse(`http://${host}`)?.hostname;
  hostnames.set(headers, { hostname });
  return hostname;
}
