import type { RawAnswer } from './context.ts';

/** What an answer to a probe says, for a sentence. */
export function toldBy({ status, errorName, errorCode, grpcStatus, isError }: RawAnswer): string {
  if (grpcStatus !== undefined)
    return grpcStatus === 'OK' ? 'OK' : `${grpcStatus} with ${errorName ?? 'no A2A error'}`;
  if (!isError) return `HTTP ${status} without an error`;
  const code = errorCode === undefined ? '' : ` (${errorCode})`;
  return `HTTP ${status} with ${errorName ?? 'an error without a name'}${code}`;
}
