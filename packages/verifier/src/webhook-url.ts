import type { CapturedExchange } from '@plugfest/model';
import { header, webhookKey } from '@plugfest/model';

/** The key of the URL that a request went to. Imports and forward proxies give the absolute form. */
export function calledWebhookKey({ request }: CapturedExchange): string {
  const { target, headers } = request;
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
