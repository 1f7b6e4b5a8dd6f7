import type { ImportOptions } from '../formats/format.ts';

type Names = ImportOptions['names'];

/**
 * The participant behind `host:port`: as the user calls it, or else by that address. What stands before an `@` is the
 * caller's name and password there, and no part of who is called (RFC 3986 section 3.2.1).
 */
export function calleeName(written: string, names: Names): string {
  const authority = written.slice(written.lastIndexOf('@') + 1);
  return names?.get(authority) ?? names?.get(hostOf(authority)) ?? authority;
}

/** Who called: as the user calls that address, or else what such a caller is. */
export function callerName(address: string | undefined, kind: 'a2a' | 'webhook', names: Names): string {
  const known = address === undefined ? undefined : (names?.get(address) ?? names?.get(hostOf(address)));
  return known ?? (kind === 'webhook' ? 'webhook sender' : 'client');
}

/** Without the port, and without the brackets of an IPv6 address. */
function hostOf(authority: string): string {
  return /^\[([^\]]*)\]/.exec(authority)?.[1] ?? authority.replace(/:\d+$/, '');
}

/** The authority of an absolute URL with its port, as an agent is called that has no name. */
export function authorityOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host } = new URL(url);
  return host === '' ? undefined : host;
}

/** Members by which a StreamResponse or an object of 0.x is told from a call: only a push delivery posts those. */
const delivered =
  /^\s*\{\s*"(?:statusUpdate|artifactUpdate|task)"\s*:\s*\{|^\s*\{[^{}[\]]*"kind"\s*:\s*"(?:task|status-update|artifact-update)"/;

/**
 * Whether an exchange of a file that does not say so is a push delivery, by who took it or by the start of what was
 * posted: the sender is the agent then.
 */
export function kindOf(callee: string, method: string, bodyStart: string): 'a2a' | 'webhook' {
  if (callee === 'webhook receiver') return 'webhook';
  return method === 'POST' && delivered.test(bodyStart.slice(0, 4096)) ? 'webhook' : 'a2a';
}
