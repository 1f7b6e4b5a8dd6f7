import type { BypassObservation, CellResult, ExchangeId, ExchangeSummary } from '@plugfest/model';
import { unseenTasks } from '../bypass/unseen-tasks.ts';
import { namesCell } from '../lab/expected-cell.ts';
import type { ExpectedCell } from '../lab/lab.ts';
import { failureText } from '../scenario/checks.ts';
import type { Scenario } from '../scenario/define.ts';
import { checkHops } from '../scenario/hops.ts';
import { withBlame } from './blame.ts';
import type { LabRun } from './lab-run.ts';

/** A run together with what its capture says. */
export interface CompletedRun {
  readonly cells: readonly CellResult[];
  readonly bypass: readonly BypassObservation[];
}

/**
 * Adds to a run what its capture shows: the exchanges of each cell, whether each declared hop crossed the proxy,
 * and tasks that nobody was seen creating. A cell that went well without a hop on record fails. Failed cells say whose
 * fault it is, where that can be told.
 */
export function completeRun(
  run: Pick<LabRun, 'cells' | 'bypass' | 'taskListings'> & Partial<Pick<LabRun, 'references'>>,
  scenarios: readonly Scenario[],
  summaries: readonly ExchangeSummary[],
): CompletedRun {
  const byCell = Map.groupBy(summaries, ({ cell }) => cell);
  const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const bypass: BypassObservation[] = [...run.bypass];
  const cells = run.cells.map((cell): CellResult => {
    const own = byCell.get(cell.id) ?? [];
    const exchanges: readonly ExchangeId[] = own.map(({ id }) => id);
    const scenario = byId.get(cell.scenario);
    // Where a scenario broke off, the hops behind that place are missing for that reason.
    if (cell.outcome !== 'ok' || !scenario) return { ...cell, exchanges };
    const verdict = checkHops(cell, scenario, own);
    bypass.push(...verdict.bypass);
    const checks = [...cell.checks, ...verdict.checks];
    const missing = verdict.checks.find(({ ok }) => !ok);
    if (!missing) return { ...cell, checks, exchanges };
    return {
      ...cell,
      outcome: 'failed',
      reason: failureText(missing),
      checks,
      exchanges,
    };
  });
  bypass.push(...unseenTasks(summaries, run.taskListings));
  return { cells: withBlame(cells, run.references ?? []), bypass };
}

/** Marks as `applyCellExpectations` does, with what it says of the entries themselves. */
export interface MarkedCells {
  readonly cells: readonly CellResult[];
  /** Entries that name nothing that failed. */
  readonly stale: readonly ExpectedCell[];
  /** Of each entry that names cells that worked, too: that it does, in a sentence. */
  readonly broad: readonly string[];
}

/**
 * Marks the cells that the lab expects to fail. An entry is stale where no cell that it names failed, unless none of
 * them was run because the run was cut short or filtered (`partial`).
 */
export function applyCellExpectations(
  cells: readonly CellResult[],
  expected: readonly ExpectedCell[],
  { partial }: { readonly partial: boolean },
): MarkedCells {
  const bad = (cell: CellResult) => cell.outcome === 'failed' || cell.outcome === 'timeout';
  const marked = cells.map((cell) => {
    const entry = bad(cell) ? expected.find((each) => namesCell(each, cell.id)) : undefined;
    return entry ? { ...cell, expectedBecause: entry.reason } : cell;
  });
  const stale = expected.filter((entry) => {
    const named = cells.filter(({ id, outcome }) => namesCell(entry, id) && outcome !== 'not-run');
    return named.length === 0 ? !partial : entry.sometimes !== true && !named.some(bad);
  });
  const broad = expected.flatMap((entry) => {
    // That none failed is told already.
    if (stale.includes(entry)) return [];
    const worked = cells.filter(({ id, outcome }) => outcome === 'ok' && namesCell(entry, id));
    const [first] = worked;
    if (first === undefined || entry.sometimes === true) return [];
    const what = worked.length === 1 ? 'a cell that worked' : `${worked.length} cells that worked`;
    return [`The expected failure ${entry.cell} names ${what}, too, such as ${first.id}: narrow it.`];
  });
  return { cells: marked, stale, broad };
}
