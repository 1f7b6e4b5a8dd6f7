import type { CapturedExchange } from '@plugfest/model';
import { header } from '@plugfest/model';

/** Scheme-less form of a webhook's URL, for comparing a registered one with the one that was called. */
export function webhookKey(url: string): string {
  const fragment = url.indexOf('#');
  return (fragment === -1 ? url : url.slice(0, fragment)).replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
}

/** The key of the URL that a request went to. Imports and forward proxies give the absolute form. */
export function calledWebhookKey({ request }: CapturedExchange): string {
  const { target, headers } = request;
  return webhookKey(target.startsWith('/') ? `${header(headers, 'host') ?? ''}${target}` : target);
}

/** Host and port of a key. */
export function webhookHost(key: string): string {
  const slash = key.search(/[/?]/);
  return (slash === -1 ? key : key.slice(0, slash)).toLowerCase();
}
