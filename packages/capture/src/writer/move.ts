import { renameSync, rmSync } from 'node:fs';
import { PlugfestError } from '@plugfest/model';
import { messageOf } from '../sqlite-errors.ts';
import { discard, isThere, requireFree } from './files.ts';
import { requireIdle, requireReplaceable } from './prepare.ts';

/**
 * Moves a capture that nobody writes any more to another name in the same folder, whole: with its log where it has
 * one, and never beside the log of what was there.
 *
 * Throws `PLUGFEST_OUTPUT` where the place is taken (`refuse`) or holds something that is no capture, and
 * `PLUGFEST_CAPTURE_BUSY` where one of the two is being recorded. Both are then as they were.
 */
export function moveCapture(from: string, to: string, existing: 'refuse' | 'replace'): void {
  requireIdle(from, { closed: true });
  if (existing === 'refuse') requireFree(to);
  else requireReplaceable(to);
  try {
    if (isThere(`${from}-wal`)) {
      discard(to);
      renameSync(`${from}-wal`, `${to}-wal`);
    } else for (const suffix of ['-wal', '-shm']) rmSync(`${to}${suffix}`, { force: true });
    renameSync(from, to);
    rmSync(`${from}-shm`, { force: true });
  } catch (cause) {
    throw new PlugfestError('PLUGFEST_OUTPUT', `${to} cannot be written (${messageOf(cause)})`, {
      hint: 'Check the permissions of the folder.',
      cause,
    });
  }
}
