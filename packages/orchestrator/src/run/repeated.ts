import type { CellOutcome, CellResult } from '@plugfest/model';

/** The worst first. */
const order: readonly CellOutcome[] = ['failed', 'timeout', 'not-run', 'unsupported', 'ok'];

/**
 * Runs a cell several times, one after another. The result is that of the worst run, with how many of them worked; a
 * cell that cannot be run is not run again.
 */
export async function repeated(
  times: number,
  run: (round: number) => Promise<CellResult>,
): Promise<CellResult> {
  const rounds: CellResult[] = [];
  for (let round = 0; round < times; round += 1) {
    const result = await run(round);
    rounds.push(result);
    if (result.outcome === 'unsupported' || result.outcome === 'not-run') break;
  }
  const [first, ...others] = rounds;
  if (first === undefined) throw new Error('a cell is run at least once');
  if (others.length === 0) return first;
  const worst = rounds.reduce((bad, next) => (rank(next) < rank(bad) ? next : bad));
  return {
    ...worst,
    repeats: { ok: rounds.filter(({ outcome }) => outcome === 'ok').length, of: rounds.length },
    durationMs: rounds.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

const rank = ({ outcome }: CellResult): number => order.indexOf(outcome);
