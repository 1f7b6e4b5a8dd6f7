/** What a URL in a card means for a tap. */
export type UrlPlace =
  /** Served by the tap's own upstream. */
  | { readonly kind: 'here' }
  /** Served by the callee on another origin: a tap of its own has to lead there. */
  | { readonly kind: 'sibling'; readonly origin: string }
  /** An address of Plugfest already. */
  | { readonly kind: 'ours' }
  /** Out of reach: traffic to it passes by the proxy. */
  | { readonly kind: 'outside'; readonly why: string }
  /** Nothing to reach at all, such as a relative reference. */
  | { readonly kind: 'none' };

export interface UrlMapOptions {
  /** Origin of the tap's upstream. */
  readonly upstream: string;
  /** Origins that the lab declares for the callee, and those that are tapped already. */
  readonly calleeOrigins: () => Iterable<string>;
  /** Name of another participant that the lab declares this origin for. */
  readonly otherOwner: (canonicalOrigin: string) => string | undefined;
  /** Whether a tap listens on this port; with a host, on this port of that address. */
  readonly isListening: (port: number, host?: string) => boolean;
  /** Host that taps are given out under, where it is not the one they listen on; as URLs have it. */
  readonly advertise?: string | undefined;
  /** Whether another port of this machine may be taken for the callee's without being declared. */
  readonly trustLoopback: boolean;
}

const loopback =
  /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\]|\[::\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;

const defaultPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80');

/** Origin with one spelling for all names of this machine's own loopback; undefined for what is no HTTP URL. */
export function canonicalOrigin(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined;
  const host = loopback.test(parsed.hostname) ? 'loopback' : parsed.hostname;
  return `${parsed.protocol}//${host}:${parsed.port || defaultPort(parsed.protocol)}`;
}

/** True for an address of a tap: one of this machine's, the one it listens on, or the name that taps are given out under. */
export function isOurs(
  canonical: string,
  { isListening, advertise }: Pick<UrlMapOptions, 'isListening' | 'advertise'>,
): boolean {
  const colon = canonical.lastIndexOf(':');
  const port = Number(canonical.slice(colon + 1));
  const host = canonical.slice(canonical.indexOf('//') + 2, colon);
  return isLoopback(canonical) || host === advertise ? isListening(port) : isListening(port, host);
}

const isLoopback = (canonical: string): boolean => canonical.includes('//loopback:');

/** `host:port`, as gRPC has it (A2A 1.0 section 4.4.6), also as a target of gRPC's own DNS resolver. */
const bareAuthority = /^(?:dns:\/{0,3})?([a-z0-9._-]+:\d{1,5}|\[[0-9a-f:.]+\]:\d{1,5})$/i;

/** An address without a scheme leads wherever one with either scheme does. */
function placeOfAuthority(authority: string, options: UrlMapOptions): UrlPlace {
  const places = ['http', 'https'].map((scheme) => placeOfUrl(`${scheme}://${authority}`, '', options));
  return places.find(({ kind }) => kind !== 'outside') ?? places[0] ?? { kind: 'none' };
}

/** Where an interface URL leads. */
export function placeOfUrl(url: string, binding: string, options: UrlMapOptions): UrlPlace {
  const bare = binding.toUpperCase() === 'GRPC' ? bareAuthority.exec(url)?.[1] : undefined;
  if (bare !== undefined) return placeOfAuthority(bare, options);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return { kind: 'none' };
  const origin = canonicalOrigin(url);
  if (origin === undefined) return { kind: 'outside', why: 'it is no HTTP URL' };
  if (origin === canonicalOrigin(options.upstream)) return { kind: 'here' };
  if (isOurs(origin, options)) return { kind: 'ours' };
  const sibling = { kind: 'sibling', origin: URL.parse(url)?.origin ?? url } as const;
  for (const declared of options.calleeOrigins()) if (canonicalOrigin(declared) === origin) return sibling;
  const owner = options.otherOwner(origin);
  if (owner !== undefined) return { kind: 'outside', why: `the lab declares that origin for ${owner}` };
  if (isLoopback(origin) && options.trustLoopback && isLoopback(canonicalOrigin(options.upstream) ?? '')) {
    return sibling;
  }
  return { kind: 'outside', why: 'the lab declares no such origin for this agent' };
}

/** The same URL at another origin: user info, path, query and fragment stay as written; so does a lack of a scheme. */
export function atOrigin(url: string, origin: string): string {
  if (bareAuthority.test(url)) return origin.slice(origin.indexOf('//') + 2);
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:([^/?#]*)@)?[^/?#]*(.*)$/is.exec(url);
  if (match === null) return url;
  const [, userInfo, rest = ''] = match;
  return userInfo === undefined ? origin + rest : origin.replace('://', `://${userInfo}@`) + rest;
}
