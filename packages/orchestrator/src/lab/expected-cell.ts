import { globMatches } from '@plugfest/model';
import type { ExpectedCell } from './lab.ts';

/** Whether an entry of `expect.cells` names a cell. */
export function namesCell({ cell, except }: Pick<ExpectedCell, 'cell' | 'except'>, id: string): boolean {
  return globMatches(cell, id) && !(except !== undefined && globMatches(except, id));
}
