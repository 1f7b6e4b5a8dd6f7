import type { Verdict } from '@plugfest/model';
import { scenarioOfCell } from '@plugfest/model';
import type { Divergence, VerdictDifferences } from '@plugfest/verifier';
import { compareVerdicts, isSame } from '@plugfest/verifier';
import type { DiffSide } from './side.ts';

/** The same traffic, judged by two rulebooks. */
export interface RuleDrift {
  /** Which side's traffic it is. */
  readonly of: string;
  readonly before: Verdict['rulebook'];
  readonly after: Verdict['rulebook'];
  readonly differences: VerdictDifferences;
}

/** What `plugfest diff --format json` prints (`plugfest.diff/1`). */
export interface Diff {
  readonly schema: 'plugfest.diff/1';
  readonly before: { readonly name: string; readonly root: string };
  readonly after: { readonly name: string; readonly root: string };
  /** `same`: one traffic log; whatever differs then is the rules' doing. */
  readonly traffic: 'same' | 'different';
  readonly ruleDrift: readonly RuleDrift[];
  /** Other traffic, judged by one rulebook; absent where the traffic is the same or no common rulebook is at hand. */
  readonly implementationDrift?: VerdictDifferences;
  /** Other traffic and other rules at once, which cannot be told apart: neither side has its capture. */
  readonly mixed?: VerdictDifferences;
  readonly firstDivergence?: Divergence;
}

const scenarioOf = (cell: string | undefined): string | undefined => scenarioOfCell(cell) || undefined;

const latest = (side: DiffSide): Verdict => {
  const verdict = side.now?.verdict ?? side.stored;
  if (verdict === undefined) throw new Error(`${side.name} was read without a verdict`);
  return verdict;
};

/** Tells what the rules did from what the implementations did. */
export function compareSides(before: DiffSide, after: DiffSide): Diff {
  const first = latest(before);
  const second = latest(after);
  const heads = {
    schema: 'plugfest.diff/1' as const,
    before: { name: before.name, root: first.capture.root },
    after: { name: after.name, root: second.capture.root },
  };
  if (first.capture.root === second.capture.root) {
    const drift = ruleDrift(after.name, before.stored ?? first, after.stored ?? second);
    return { ...heads, traffic: 'same', ruleDrift: drift };
  }
  const drifts = [before, after].flatMap(({ name, stored, now }) =>
    stored === undefined || now === undefined || stored.capture.root !== now.verdict.capture.root
      ? []
      : ruleDrift(name, stored, now.verdict),
  );
  const common = commonRulebook(before, after);
  const divergence =
    before.now === undefined || after.now === undefined
      ? undefined
      : before.now.outline.divergenceFrom(after.now.outline);
  return {
    ...heads,
    traffic: 'different',
    ruleDrift: drifts,
    ...(common === undefined
      ? { mixed: compareVerdicts(first, second, scenarioOf) }
      : { implementationDrift: compareVerdicts(common[0], common[1], scenarioOf) }),
    ...(divergence === undefined ? {} : { firstDivergence: divergence }),
  };
}

/** A verdict of each side that the same rulebook gave. */
function commonRulebook(before: DiffSide, after: DiffSide): readonly [Verdict, Verdict] | undefined {
  for (const first of [before.now?.verdict, before.stored])
    for (const second of [after.now?.verdict, after.stored])
      if (first !== undefined && first.rulebook.hash === second?.rulebook.hash) return [first, second];
  return undefined;
}

function ruleDrift(of: string, before: Verdict, after: Verdict): readonly RuleDrift[] {
  if (before.rulebook.hash === after.rulebook.hash) return [];
  const differences = compareVerdicts(before, after, scenarioOf);
  return [{ of, before: before.rulebook, after: after.rulebook, differences }];
}

/** Whether there is anything to tell. Rules that changed without another result are no difference. */
export function isWithoutDifference(diff: Diff): boolean {
  const lists = [
    ...diff.ruleDrift.map(({ differences }) => differences),
    diff.implementationDrift,
    diff.mixed,
  ];
  return diff.firstDivergence === undefined && lists.every((each) => each === undefined || isSame(each));
}
