import { PlugfestError } from '@plugfest/model';
import { messageOf } from '../sqlite-errors.ts';
import type { Loss } from './messages.ts';

const hint =
  'Free disk space or choose another folder with --out, then record again; the traffic itself was not affected.';

/** What `flush` and `close` reject with once records could not be stored. */
export function lossError(file: string, { reason, records, bytes }: Loss): PlugfestError {
  const what = [records > 0 ? `${records} records` : '', bytes > 0 ? `${bytes} bytes of bodies` : '']
    .filter((part) => part !== '')
    .join(' and ');
  const message = `${file}: ${what === '' ? 'the log' : what} could not be written (${reason})`;
  return new PlugfestError('PLUGFEST_CAPTURE_WRITE', message, { hint });
}

/** The writing thread is gone. */
export function threadError(file: string, cause: unknown): PlugfestError {
  const message = `${file}: the thread that writes the log ended (${messageOf(cause)}); nothing more is recorded`;
  return new PlugfestError('PLUGFEST_CAPTURE_WRITE', message, { hint, cause });
}
