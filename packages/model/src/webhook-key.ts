import type { Change } from './capture.ts';

/**
 * A webhook's URL for comparing a registered one with the one that was called. Two URLs of one place are the same
 * (RFC 3986 section 6.2): letter case of the host, the default port and an empty path mean nothing. Neither do the scheme,
 * user and fragment, which a request does not name; so the default ports of both schemes are taken for the same.
 */
export function webhookKey(url: string): string {
  const fragment = url.indexOf('#');
  const named = (fragment === -1 ? url : url.slice(0, fragment)).replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const end = named.search(/[/?]/);
  const [authority, target] = end === -1 ? [named, ''] : [named.slice(0, end), named.slice(end)];
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  return `${host.replace(/:(?:80|443)?$/, '')}${target.startsWith('/') ? target : `/${target}`}`;
}

/** Reason of the changes by which the proxy gives an agent another webhook URL than the client registered, and back. */
export const webhookUrlReason = 'webhook-url';

/**
 * What the target of a delivery stands for where the proxy had given the agent a URL of its own: that of the URL which
 * the client registered, whose host is in the head as forwarded. Undefined for any other delivery.
 */
export function registeredTarget(changes: readonly Change[]): string | undefined {
  return changes.find(({ place, reason }) => place === 'target' && reason === webhookUrlReason)?.after;
}
