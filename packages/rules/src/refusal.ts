import type { DecodedExchange, ErrorView } from '@plugfest/a2a';
import { onceForEach } from './last-exchange.ts';

/** The error that refused an operation: the response's, or that of a stream which begins with one. */
export function refusalOf({ response }: DecodedExchange): ErrorView | undefined {
  return response?.error ?? response?.events?.[0]?.error;
}

/** The agent went ahead: a result, or a stream with at least one payload. */
export const wasServed = onceForEach((exchange): boolean => {
  const { response } = exchange;
  if (response === undefined || refusalOf(exchange) !== undefined) return false;
  if (response.status < 200 || response.status > 299) return false;
  if (response.events !== undefined) return exchange.payloads.some(({ side }) => side === 'response');
  return exchange.dialect?.binding === 'JSONRPC' ? response.result !== undefined : response.complete;
});

/** Checks that an agent may make before it looks at the operation: their errors say nothing about it. */
const earlierChecks: ReadonlySet<string> = new Set([
  'JSONParseError',
  'VersionNotSupportedError',
  'ExtensionSupportRequiredError',
  'ContentTypeNotSupportedError',
]);

/** True for a named error that judges the operation itself; auth, gateways and unnamed failures do not. */
export function concernsOperation(error: ErrorView): error is ErrorView & { readonly name: string } {
  return error.name !== undefined && !earlierChecks.has(error.name);
}

/** The caller was turned away, for want of credentials or of rights (A2A 1.0 section 7.5; over gRPC by its own statuses). */
export function refusesCaller({ dialect, response }: DecodedExchange): boolean {
  if (dialect?.binding === 'GRPC') return response?.error?.code === 16 || response?.error?.code === 7;
  return response?.status === 401 || response?.status === 403;
}

/** The input was refused: by HTTP 400, or by INVALID_ARGUMENT (A2A 1.0 section 5.4), named or not. */
export function refusesInput({ dialect, response }: DecodedExchange): boolean {
  return dialect?.binding === 'GRPC' ? response?.error?.code === 3 : response?.status === 400;
}
