const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The host of a listener's origin, as URLs have it. */
export function hostOfListener(host: string, advertise: string | undefined): string {
  if (advertise !== undefined) return bracketed(advertise.replace(/^\[|\]$/g, ''));
  // An unspecified address is for listening only; on this machine loopback reaches it.
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : bracketed(host);
}
