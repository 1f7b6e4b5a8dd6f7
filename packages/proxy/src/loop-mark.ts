import { createHash } from 'node:crypto';
import type { Change, RawHeaders } from '@plugfest/model';

/**
 * The name by which a tap knows a request that it has passed on before, as `Via` has it (RFC 9110 section 7.6.3). Own
 * connections tell a loop by their ports; one that leads through another proxy, or through an address that is
 * translated, only by what the request carries. So it is found only where something may be added.
 */
export function loopMarkOf(...tap: readonly (string | undefined)[]): string {
  return `plugfest-${createHash('sha256').update(JSON.stringify(tap)).digest('hex').slice(0, 16)}`;
}

/** True for a request that this tap has passed on before. */
export function hasLoopMark(headers: RawHeaders, mark: string): boolean {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    if (headers[i]?.length === 3 && headers[i]?.toLowerCase() === 'via' && headers[i + 1]?.includes(mark))
      return true;
  }
  return false;
}

/** Adds the mark as the last of those that say which way a request came. Edits `headers` in place. */
export function addLoopMark(headers: string[], httpVersion: string, mark: string): Change {
  const where = headers[0]?.startsWith(':') ? 'via' : 'Via';
  const after = `${httpVersion} ${mark}`;
  headers.push(where, after);
  return { side: 'request', place: 'header', where, after, reason: 'via' };
}
