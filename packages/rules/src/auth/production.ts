import { askedOrigin } from '../card/network-place.ts';
import { isLabHost } from '../lab-host.ts';
import { onceForEach } from '../last-exchange.ts';

/** Names kept for documentation (RFC 2606): nothing runs there, and examples and bug reports are full of them. */
const documentation = /(?:^|\.)(?:example|invalid|test|example\.(?:com|net|org))$/;

/** A call that went to a host which others than a lab can reach. */
export interface ProductionCall {
  readonly scheme: 'http' | 'https';
  readonly hostname: string;
}

/** Undefined for hosts of a lab, and where the capture does not say how the request went out. */
export const productionCall = onceForEach((exchange): ProductionCall | undefined => {
  const { scheme, hostname } = askedOrigin(exchange);
  if (scheme === undefined || hostname === undefined) return undefined;
  return documentation.test(hostname) || isLabHost(hostname) ? undefined : { scheme, hostname };
});
