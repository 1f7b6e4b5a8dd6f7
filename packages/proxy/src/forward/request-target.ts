import { canonicalOrigin } from '../cards/url-map.ts';

/** Canonical origin of a request target in absolute form (RFC 9112 section 3.2.2); undefined for any other. */
export function originOfAbsolute(target: string): string | undefined {
  return /^https?:\/\//i.test(target) ? canonicalOrigin(target) : undefined;
}

/**
 * The canonical origins that a target of CONNECT may stand for (RFC 9110 section 9.3.6): `host:port` and nothing else.
 * Undefined for what is none.
 */
export function authorityOfConnect(target: string): readonly string[] | undefined {
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(target)) return undefined;
  const origins = ['https', 'http'].flatMap((scheme) => canonicalOrigin(`${scheme}://${target}`) ?? []);
  return origins.length === 0 ? undefined : origins;
}
