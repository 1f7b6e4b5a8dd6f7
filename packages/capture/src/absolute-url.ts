import { type CapturedExchange, header } from '@plugfest/model';

/** The absolute URL that was asked for, where an origin is known: as the caller named it, or of the callee. */
export function absoluteUrl({ request, edge }: CapturedExchange): string {
  const { target, headers } = request;
  if (!target.startsWith('/')) return target;
  const host = header(headers, 'host') ?? header(headers, ':authority');
  if (host !== undefined) return `http://${host}${target}`;
  const { upstream } = edge;
  return upstream !== undefined && URL.canParse(upstream) ? new URL(upstream).origin + target : target;
}
