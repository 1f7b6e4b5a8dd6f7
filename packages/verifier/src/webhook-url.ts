import type { CapturedExchange } from '@plugfest/model';
import { header, registeredTarget, webhookKey } from '@plugfest/model';

/**
 * The key of the URL that a request went to. Imports and forward proxies give the absolute form. Where the proxy had
 * given the agent a URL of its own, it is the one that the client registered.
 */
export function calledWebhookKey({ request, changes }: CapturedExchange): string {
  const opened = registeredTarget(changes);
  const target = opened ?? request.target;
  const headers = opened === undefined ? request.headers : (request.forwardedHeaders ?? request.headers);
  return webhookKey(
    target.startsWith('/')
      ? `${header(headers, 'host') ?? header(headers, ':authority') ?? ''}${target}`
      : target,
  );
}

/** Host and port of a key. */
export function webhookHost(key: string): string {
  const slash = key.search(/[/?]/);
  return (slash === -1 ? key : key.slice(0, slash)).toLowerCase();
}
