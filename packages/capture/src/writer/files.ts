import { lstatSync, rmSync } from 'node:fs';
import { PlugfestError } from '@plugfest/model';

/** A capture and what SQLite keeps beside it. */
const suffixes = ['', '-wal', '-shm'] as const;

/** Whether the directory has an entry of that name, be it a link that leads nowhere. */
export const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * Refuses a path where a capture is, or what is left of one: a log that lies beside a new file would be taken for the
 * log of that.
 */
export function requireFree(
  file: string,
  hint = 'Choose another file, or say that it may be replaced.',
): void {
  const found = suffixes.find((suffix) => isThere(`${file}${suffix}`));
  if (found === undefined) return;
  const rest = found === '' ? '' : `, without the capture it belongs to`;
  throw new PlugfestError('PLUGFEST_OUTPUT', `${file}${found} already exists${rest}`, { hint });
}

/** Removes a capture together with its log. */
export function discard(file: string): void {
  for (const suffix of suffixes) rmSync(`${file}${suffix}`, { force: true });
}
