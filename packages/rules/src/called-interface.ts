import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import { pathOf } from './declared-interfaces.ts';

const trimmed = (path: string): string => path.replace(/\/+$/, '');

/** Path of an HTTP+JSON call without what belongs to the operation; `/v1` stays off where 0.3 has it in the pattern. */
function restBase({ request, wireMethod = '' }: DecodedExchange): string {
  const pattern = wireMethod.slice(wireMethod.indexOf(' ') + 1);
  const segments = pattern.split('/').length - 1;
  return request.path.split('/').slice(0, -segments).join('/');
}

/** May a call to `base` mean the interface at `declared`? A tenant may stand between base and operation (section 11.3). */
function isBelow(base: string, declared: string): boolean {
  if (base === declared) return true;
  return base.startsWith(`${declared}/`) && !base.slice(declared.length + 1).includes('/');
}

/**
 * True where a call goes to this interface's URL by the call's binding. JSON-RPC URLs are endpoints, to be used as they
 * are; HTTP+JSON URLs are bases. Hosts are not compared: a proxy stands between.
 */
export function goesTo(exchange: DecodedExchange, entry: CardInterface): boolean {
  const { binding } = entry;
  if (binding === undefined || binding !== exchange.dialect?.binding) return false;
  const declared = pathOf(entry);
  if (declared === undefined) return false;
  if (binding === 'JSONRPC') return declared === (exchange.request.path || '/');
  if (binding !== 'HTTP+JSON') return false;
  const base = restBase(exchange);
  const declaredBase = trimmed(declared);
  // The URL of a 0.3 interface may already end in the `/v1` of its paths.
  return isBelow(base, declaredBase) || (exchange.dialect.version !== '1.0' && `${base}/v1` === declaredBase);
}
