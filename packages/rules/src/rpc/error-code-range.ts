import { jsonRpcErrors } from '@plugfest/a2a';

/**
 * Where an error code lies: one that A2A or JSON-RPC give to servers (-32000 to -32099, and the five standard
 * ones), one that JSON-RPC reserves for the future, an HTTP status, or the applications' own space.
 */
export type CodeRange = 'given' | 'reserved' | 'http' | 'application';

export function codeRange(code: number): CodeRange {
  if (code in jsonRpcErrors || (code <= -32000 && code >= -32099)) return 'given';
  if (code >= -32768 && code < -32099) return 'reserved';
  return code >= 100 && code <= 599 ? 'http' : 'application';
}
