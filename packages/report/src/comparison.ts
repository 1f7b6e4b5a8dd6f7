import type { CellResult, Finding, RunComparison, RunReport } from '@plugfest/model';
import { count, list, standingNames, standingOf } from './labels.ts';

/** What of an earlier run is compared; what a stored `report.json` holds at least. */
export type EarlierRun = Pick<RunReport, 'run' | 'cells'> & {
  readonly verdict: { readonly findings: readonly Pick<Finding, 'rule' | 'outcome' | 'cell'>[] };
};

const clean = (standing: string): boolean => standing === 'ok';
const wrong = (standing: string): boolean =>
  standing === 'failed' || standing === 'timeout' || standing === 'expected';

/**
 * What became of the cells of an earlier run: those that work now or no longer do, that break other MUSTs than they did,
 * and those that only one of the two runs has. Cells that were not run in one of them are not compared.
 */
export function compareRuns(earlier: EarlierRun, now: EarlierRun): RunComparison {
  const before = new Map(earlier.cells.map((cell) => [cell.id, cell]));
  const after = new Map(now.cells.map((cell) => [cell.id, cell]));
  const [brokenBefore, brokenNow] = [brokenIn(earlier), brokenIn(now)];
  const changes = now.cells.flatMap((cell) => {
    const old = before.get(cell.id);
    if (old === undefined || old.outcome === 'not-run' || cell.outcome === 'not-run') return [];
    const [was, is] = [standingOf(old), standingOf(cell)];
    const newlyBroken = without(brokenNow.get(cell.id), brokenBefore.get(cell.id));
    const mended = without(brokenBefore.get(cell.id), brokenNow.get(cell.id));
    if (was === is && newlyBroken.length + mended.length === 0) return [];
    return {
      cell: cell.id,
      was,
      is,
      direction: directionOf(was, is, newlyBroken, mended),
      newlyBroken,
      mended,
    };
  });
  return {
    with: { id: earlier.run.id, startedAt: earlier.run.startedAt, seed: earlier.run.seed },
    changes,
    added: idsOf(now.cells.filter(({ id }) => !before.has(id))),
    removed: idsOf(earlier.cells.filter(({ id }) => !after.has(id))),
  };
}

function directionOf(
  was: string,
  is: string,
  newlyBroken: readonly string[],
  mended: readonly string[],
): RunComparison['changes'][number]['direction'] {
  if (clean(was) !== clean(is)) {
    if (wrong(is)) return 'worse';
    if (wrong(was)) return 'better';
    return 'other';
  }
  if (newlyBroken.length > 0) return mended.length > 0 ? 'other' : 'worse';
  return mended.length > 0 ? 'better' : 'other';
}

type Change = RunComparison['changes'][number];

const directionOrder: readonly Change['direction'][] = ['worse', 'other', 'better'];

/** What changed, in the order in which a reader needs it. */
export function worstFirst({ changes }: RunComparison): readonly Change[] {
  return [...changes].sort(
    (a, b) => directionOrder.indexOf(a.direction) - directionOrder.indexOf(b.direction),
  );
}

export const directionSigns: Readonly<Record<Change['direction'], string>> = {
  worse: '▼',
  other: '◆',
  better: '▲',
};

/** `was ok, now failed; breaks SSE-005 now`. */
export function changeText({ was, is, newlyBroken, mended }: Change): string {
  return [
    ...(was === is ? [] : [`was ${standingNames[was]}, now ${standingNames[is]}`]),
    ...(newlyBroken.length > 0 ? [`breaks ${list(newlyBroken)} now`] : []),
    ...(mended.length > 0 ? [`breaks ${list(mended)} no more`] : []),
  ].join('; ');
}

/** `3 cells are worse, 1 is better; 2 are new, 4 are gone.` */
export function comparisonSentence({ changes, added, removed }: RunComparison): string {
  const are = (number: number, what: string): readonly string[] =>
    number === 0 ? [] : [`${count(number, 'cell')} ${number === 1 ? 'is' : 'are'} ${what}`];
  const of = (direction: Change['direction']): number =>
    changes.filter((change) => change.direction === direction).length;
  const parts = [
    ...are(of('worse'), 'worse'),
    ...are(of('better'), 'better'),
    ...are(of('other'), 'otherwise changed'),
    ...are(added.length, 'new'),
    ...are(removed.length, 'gone'),
  ];
  return parts.length === 0 ? 'Nothing changed.' : `${list(parts)}.`;
}

/** MUSTs that each cell broke, expected or not. */
function brokenIn({ verdict }: EarlierRun): ReadonlyMap<string, ReadonlySet<string>> {
  const broken = new Map<string, Set<string>>();
  for (const { cell, outcome, rule } of verdict.findings) {
    if (cell === undefined || outcome !== 'fail') continue;
    const rules = broken.get(cell) ?? new Set();
    rules.add(rule);
    broken.set(cell, rules);
  }
  return broken;
}

const none: ReadonlySet<string> = new Set();

const without = (some = none, others = none): readonly string[] =>
  [...some].filter((rule) => !others.has(rule)).sort();

const idsOf = (cells: readonly Pick<CellResult, 'id'>[]) => cells.map(({ id }) => id);
