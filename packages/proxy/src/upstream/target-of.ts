import { PlugfestError } from '@plugfest/model';
import type { UpstreamTarget } from './upstream.ts';

/**
 * Where the requests of a tap go.
 * @throws PlugfestError PLUGFEST_USAGE for what is no http or https URL.
 */
export function targetOf(upstream: string): UpstreamTarget {
  const url = URL.parse(upstream);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new PlugfestError('PLUGFEST_USAGE', `Not an http or https URL: ${upstream}`, {
      hint: 'Give the base URL of the agent, e.g. http://127.0.0.1:41234.',
    });
  }
  return {
    origin: url.origin,
    protocol: url.protocol,
    hostname: url.hostname,
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    authority: url.host,
  };
}
