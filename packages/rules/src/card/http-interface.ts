import type { CardInterface } from '@plugfest/a2a';

/** An entry of an HTTP binding that has a URL. */
export const isHttp = ({ binding, url }: CardInterface): boolean =>
  (binding === 'JSONRPC' || binding === 'HTTP+JSON') && url !== undefined && url !== '';
