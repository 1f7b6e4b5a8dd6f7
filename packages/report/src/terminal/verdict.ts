import type { Verdict } from '@plugfest/model';
import { type Cause, causesOf, expectedCausesOf } from '../causes.ts';
import { count, gapTexts, levelText, list, place, ruleStatuses, ruleStatusNames } from '../labels.ts';
import type { Paint, VerdictInput } from '../reporter.ts';
import { safe, titled } from './layout.ts';

/** All that a verdict says. */
export const verdictLines = (input: VerdictInput, paint: Paint): readonly string[] => [
  ...brokenLines(input, paint),
  ...knownLines(input, paint),
  ...doubtLines(input, paint),
];

/** What nobody expected. `brief`: of what is only warned of, a line for each rule. */
export function brokenLines(input: VerdictInput, paint: Paint, brief = false): readonly string[] {
  const causes = causesOf(input);
  const full = (some: readonly Cause[]) => some.flatMap((cause) => causeLines(cause, paint));
  const broken = causes.filter(({ outcome }) => outcome === 'fail');
  const warned = causes.filter(({ outcome }) => outcome === 'warn');
  return [
    ...titled('Broken rules', full(broken), paint),
    ...titled('Warnings', brief ? noteLines(warned, paint) : full(warned), paint),
  ];
}

/** What was expected, and what is not scored. */
export const knownLines = (input: VerdictInput, paint: Paint): readonly string[] => [
  ...titled(
    'Expected findings',
    expectedCausesOf(input).flatMap((cause) => causeLines(cause, paint)),
    paint,
  ),
  ...titled(
    'Notes: seen, not scored',
    noteLines(
      causesOf(input).filter((cause) => cause.outcome === 'info'),
      paint,
    ),
    paint,
  ),
];

/** What keeps a verdict from being the whole truth. */
export const doubtLines = ({ verdict, gaps = [] }: VerdictInput, paint: Paint): readonly string[] => [
  ...titled(
    'Expected, but did not happen',
    verdict.staleExpectations.map(
      (entry) =>
        `  ${paint.red(safe([entry.rule, entry.agent, entry.party, entry.scenario].filter(Boolean).join(' ')))}  ${safe(entry.reason)}`,
    ),
    paint,
  ),
  ...titled(
    'Rules that threw (a fault of Plugfest)',
    verdict.rules
      .filter((rule) => rule.status === 'error')
      .map((rule) => `  ${paint.red(safe(rule.id, 40))}  ${safe(rule.error ?? 'no message')}`),
    paint,
  ),
  ...titled(
    'Gaps in the capture: what was not stored was not judged',
    gapTexts(gaps).map((gap) => `  ${safe(gap)}`),
    paint,
  ),
];

function causeLines(cause: Cause, paint: Paint): readonly string[] {
  const style = cause.outcome === 'fail' && cause.expectedBecause === undefined ? paint.red : paint.yellow;
  const { first } = cause;
  const where = [safe(first.exchange, 60), place(first.at)].filter((part) => part !== '').join(', ');
  const line = (label: string, value: string | undefined): readonly string[] =>
    value === undefined || value === '' ? [] : [`    ${paint.dim(label.padEnd(9))}${safe(value)}`];
  return [
    `  ${style(paint.bold(safe(cause.rule, 40)))}  ${safe(levelText(cause), 20)}  ${paint.bold(safe(cause.agent, 60))} (${cause.party})  ${count(cause.count, 'time')}${
      cause.cells.length > 0 ? ` in ${count(cause.cells.length, 'cell')}` : ''
    }`,
    `    ${safe(first.message)}`,
    ...line('expected', first.expected),
    ...line('actual', first.actual),
    ...line('fix', cause.fix),
    ...line('known', cause.expectedBecause),
    ...line('spec', `A2A ${first.spec.version} section ${first.spec.section}`),
    ...line('first', place(first.at) === '' ? first.exchange : where),
    ...(cause.messages.length > 1 ? line('also', count(cause.messages.length - 1, 'other wording')) : []),
    '',
  ];
}

/** Warnings or notes, a line for each rule: whom it was seen with, and what was seen first. */
function noteLines(causes: readonly Cause[], paint: Paint): readonly string[] {
  return [...Map.groupBy(causes, ({ rule }) => rule)].map(([rule, same]) => {
    const agents = [...new Set(same.map(({ agent, party }) => `${safe(agent, 24)} (${party})`))];
    const times = same.reduce((sum, { count: one }) => sum + one, 0);
    const example = same[0] === undefined ? '' : safe(same[0].first.message, 120);
    return `  ${paint.yellow(safe(rule, 40))}  ${list(agents)}  ${count(times, 'time')}: ${example}`;
  });
}

function ruleTally(verdict: Verdict): string {
  const counts = ruleStatuses.flatMap((status) => {
    const number = verdict.rules.filter((rule) => rule.status === status).length;
    return number > 0 ? [`${number} ${ruleStatusNames[status]}`] : [];
  });
  return counts.length > 0 ? counts.join(' · ') : 'no rules';
}

const selected = ({ rulebook: { selection } }: Verdict): string =>
  selection === undefined ? '' : `  only ${safe(selection.join(', '), 100)}`;

export const footer = (verdict: Verdict, paint: Paint): readonly string[] => [
  '',
  `${paint.dim('rules    ')}${ruleTally(verdict)}`,
  `${paint.dim('capture  ')}${safe(verdict.capture.root, 100)}  ${count(verdict.capture.exchanges, 'exchange')}, ${count(verdict.capture.gaps, 'gap')}`,
  `${paint.dim('rulebook ')}${safe(verdict.rulebook.version, 40)}  ${safe(verdict.rulebook.hash, 100)}${selected(verdict)}`,
];
