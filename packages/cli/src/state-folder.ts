import { join, resolve } from 'node:path';
import { PlugfestError } from '@plugfest/model';
import type { Io } from './io.ts';

/** Where Plugfest keeps what outlives a run: the one that is given, or `plugfest` in the user's state folder (XDG). */
export function stateFolder({ cwd, env }: Pick<Io, 'cwd' | 'env'>, given: string | undefined): string {
  if (given !== undefined) return resolve(cwd, given);
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local, HOME: home } = env;
  if (state !== undefined && state !== '') return resolve(cwd, state, 'plugfest');
  if (local !== undefined && local !== '') return join(local, 'plugfest');
  if (home !== undefined && home !== '') return join(home, '.local', 'state', 'plugfest');
  throw new PlugfestError('PLUGFEST_USAGE', 'There is no home folder to keep the lab CA in', {
    hint: 'Name a folder with --state-dir DIR.',
  });
}

/** The option, for each command that needs it. */
export const stateOption = ['--state-dir <dir>', 'folder of the lab CA; that of the user otherwise'] as const;
