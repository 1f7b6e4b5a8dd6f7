import type { Divergence, FindingGroup, VerdictDifferences } from '@plugfest/verifier';
import { isSame } from '@plugfest/verifier';
import type { Paint } from '../io.ts';
import type { Diff } from './compare.ts';

/** A diff for people. What agents say in it has to be printable already. */
export function diffText(diff: Diff, paint: Paint): string {
  const lines: string[] = [];
  const differences = (title: string, found: VerdictDifferences): void => {
    lines.push('', paint.bold(title));
    if (isSame(found)) lines.push('  none');
    for (const group of found.appeared.filter(isScored))
      lines.push(`  ${paint.red('+')} ${groupText(group)}`);
    for (const group of found.gone.filter(isScored)) lines.push(`  ${paint.green('-')} ${groupText(group)}`);
    for (const [change, rules] of Map.groupBy(found.statuses, (each) => `${each.before} → ${each.after}`))
      lines.push(`  ${paint.dim(change)}  ${rules.map(({ rule }) => rule).join(', ')}`);
  };
  lines.push(`a  ${diff.before.name}  ${diff.before.root.slice(0, 19)}…`);
  lines.push(`b  ${diff.after.name}  ${diff.after.root.slice(0, 19)}…`);
  lines.push(diff.traffic === 'same' ? 'Both are the same traffic.' : 'The traffic is not the same.');
  for (const { of, before, after, differences: found } of diff.ruleDrift)
    differences(
      `Rule drift: ${of} by rulebook ${before.version} (${before.hash.slice(0, 15)}…) and ${after.version} (${after.hash.slice(0, 15)}…)`,
      found,
    );
  if (diff.traffic === 'same' && diff.ruleDrift.length === 0) lines.push('', 'Nothing differs.');
  if (diff.implementationDrift)
    differences('Implementation drift, by one rulebook', diff.implementationDrift);
  if (diff.mixed)
    differences('Other traffic and other rules; give the captures to tell the two apart', diff.mixed);
  if (diff.firstDivergence) lines.push('', ...divergenceText(diff.firstDivergence, paint));
  return `${lines.join('\n')}\n`;
}

function groupText({ rule, agent, party, outcome, scenario, before, after, message }: FindingGroup): string {
  const where = scenario === undefined ? '' : ` in ${scenario}`;
  return `${rule} ${outcome}  ${agent} (${party})${where}, ${times(Math.max(before, after))}: ${message}`;
}

function divergenceText(divergence: Divergence, paint: Paint): readonly string[] {
  const { cell, caller, callee, before, after } = divergence;
  const place = cell === undefined ? '' : ` in ${cell}`;
  const step = (name: string, which: Divergence['before']): string =>
    which === undefined
      ? `  ${name}  has none like it`
      : `  ${name}  ${which.exchange}  ${which.request} → ${which.answer} (${which.end})`;
  return [
    paint.bold(`First divergent exchange: ${caller} → ${callee}${place}`),
    step('a', before),
    step('b', after),
  ];
}

const times = (count: number): string => `${count} ${count === 1 ? 'time' : 'times'}`;

/** What is only noted would drown the rest; the JSON has it. */
const isScored = ({ outcome }: FindingGroup): boolean => outcome !== 'info';
