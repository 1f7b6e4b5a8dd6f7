import type { AgentReport, CellResult, RunReport } from '@plugfest/model';
import { type BlamedCells, blameOf, remarksOf } from '../blame.ts';
import { causesOf, expectedCausesOf, type Unexplained, unexplainedOf } from '../causes.ts';
import { changeText, comparisonSentence, directionSigns, worstFirst } from '../comparison.ts';
import { count, list, standingOf } from '../labels.ts';
import { matrixOf } from '../matrix.ts';
import type { Paint } from '../reporter.ts';
import { toneOf } from '../sentence.ts';
import { headline } from './colours.ts';
import { join, pad, safe, titled } from './layout.ts';
import { legendLines, matrixLines } from './matrix.ts';
import { brokenLines, doubtLines, footer, knownLines } from './verdict.ts';

/** Runs with more cells than this tell on the terminal what is wrong or new; what was expected is in the report. */
const mostInFull = 100;

export function run(report: RunReport, paint: Paint): string {
  const brief = report.cells.length > mostInFull;
  const matrix = matrixOf(report);
  const unexplained = unexplainedOf(report);
  const failures = (wanted: (one: Unexplained) => boolean) =>
    unexplained.filter(wanted).map((one) => failureLine(one, paint));
  return join([
    headline(toneOf(report), report.sentence, paint),
    ...(report.cells.length > 0
      ? ['', ...matrixLines(matrix, { paint, brief }), ...legendLines(matrix, paint)]
      : []),
    ...comparisonLines(report, paint),
    ...titled(
      'Failures that no broken rule explains',
      failures(({ hints }) => hints.length === 0),
      paint,
    ),
    ...titled(
      'Failures beside a note or an expected finding',
      failures(({ hints }) => hints.length > 0),
      paint,
    ),
    ...titled(
      'Whose fault, by reference peers',
      blameOf(report.cells).map((one) => blameLine(one, paint)),
      paint,
    ),
    ...brokenLines(report, paint, brief),
    ...(brief ? [] : knownLines(report, paint)),
    ...doubtLines(report, paint),
    ...(brief ? [] : expectedCellLines(report, paint)),
    ...titled(
      'Cells expected to fail, but they did not',
      report.staleCellExpectations.map(
        (entry) => `  ${paint.red(safe(entry.cell, 90))}  ${safe(entry.reason)}`,
      ),
      paint,
    ),
    ...titled('Traffic that bypassed the proxy', bypassLines(report, paint), paint),
    ...(brief ? [] : titled('Unsupported', unsupportedLines(report), paint)),
    ...(brief ? [] : titled('Remarks on cells', remarkLines(report), paint)),
    ...titled(
      'Remarks on the run',
      report.notes.map((note) => `  ${safe(note)}`),
      paint,
    ),
    ...(brief
      ? titled('Also in the report', restLines(report), paint)
      : titled(
          'Trace context: what each agent does with the traceparent that it is given',
          tracedAgents(report).map(propagationLine),
          paint,
        )),
    ...footer(report.verdict, paint),
  ]);
}

const expectedCellsOf = ({ cells }: RunReport): readonly CellResult[] =>
  cells.filter((cell) => standingOf(cell) === 'expected');

const expectedCellLines = (report: RunReport, paint: Paint): readonly string[] =>
  titled(
    'Cells that failed as expected',
    expectedCellsOf(report).map(
      (cell) => `  ${paint.yellow(safe(cell.id, 90))}  ${safe(cell.expectedBecause ?? '')}`,
    ),
    paint,
  );

const tracedAgents = ({ agents }: RunReport): readonly AgentReport[] =>
  agents.filter(({ propagation }) => propagation.hops > 0);

/** What a short report leaves out: how much there is of each. */
function restLines(report: RunReport): readonly string[] {
  const { cells } = report;
  const tally = (number: number, word: string, plural?: string): readonly string[] =>
    number === 0 ? [] : [`  ${count(number, word, plural)}`];
  const notes = new Set(causesOf(report).flatMap(({ rule, outcome }) => (outcome === 'info' ? [rule] : [])));
  return [
    ...tally(
      expectedCellsOf(report).length,
      'cell that failed as expected, with the reason',
      'cells that failed as expected, each with the reason',
    ),
    ...tally(
      expectedCausesOf(report).length,
      'broken rule that was expected, with the first exchange',
      'broken rules that were expected, by agent, each with its first exchange',
    ),
    ...tally(notes.size, 'rule with notes that are not scored', 'rules with notes that are not scored'),
    ...tally(
      cells.filter(({ outcome }) => outcome === 'unsupported').length,
      'unsupported cell, and why',
      'unsupported cells, and why',
    ),
    ...tally(
      cells.filter((cell) => remarksOf(cell).length > 0).length,
      'cell with a remark',
      'cells with remarks',
    ),
    ...tally(
      tracedAgents(report).length,
      'agent, and what it does with the traceparent that it is given',
      'agents, and what each does with the traceparent that it is given',
    ),
  ];
}

/** What changed since an earlier run: the cells by name, the worse ones first. */
function comparisonLines({ comparison }: RunReport, paint: Paint): readonly string[] {
  if (comparison === undefined) return [];
  const shown = worstFirst(comparison);
  const style = { worse: paint.red, better: paint.green, other: paint.yellow };
  const lines = shown.slice(0, 30).map((change) => {
    const text = `${directionSigns[change.direction]} ${safe(change.cell, 90)}  ${changeText(change)}`;
    return `  ${style[change.direction](text)}`;
  });
  const rest = shown.length - lines.length;
  return titled(
    `Since the run of ${safe(comparison.with.startedAt, 30)}`,
    [
      `  ${comparisonSentence(comparison)}`,
      ...lines,
      ...(rest > 0 ? [`  and ${count(rest, 'more change')}, all in report.json`] : []),
    ],
    paint,
  );
}

function blameLine({ who, why, cells }: BlamedCells, paint: Paint): string {
  const [first] = cells;
  const more = cells.length > 1 ? ` and ${cells.length - 1} more` : '';
  return `  ${paint.red(safe(who, 90))}  ${safe(why)}  ${paint.dim(`${safe(first?.id ?? '', 90)}${more}`)}`;
}

/** Cells that were made in another way than the lab has it, or that worked only sometimes. */
function remarkLines({ cells }: RunReport): readonly string[] {
  const remarks = Map.groupBy(
    cells.flatMap((cell) => remarksOf(cell).map((remark) => ({ remark, cell }))),
    ({ remark }) => remark,
  );
  return [...remarks].map(([remark, of]) => {
    const names = of.slice(0, 2).map(({ cell }) => safe(cell.id, 90));
    return `  ${safe(remark)}  ${list([...names, ...(of.length > 2 ? [`${of.length - 2} more`] : [])])}`;
  });
}

function failureLine({ outcome, reason, cells, hints }: Unexplained, paint: Paint): string {
  const names = cells.slice(0, 3).map((cell) => safe(cell.id, 90));
  const more = cells.length > 3 ? [`${cells.length - 3} more`] : [];
  const see = hints.length === 0 ? '' : `  see ${safe(list(hints.slice(0, 4)), 120)}`;
  return `  ${paint.red(outcome === 'timeout' ? 'timed out' : 'failed')}  ${safe(reason)}${see}  ${paint.dim(list([...names, ...more]))}`;
}

/** How many of one kind are listed before the rest is counted. */
const listed = 5;

function bypassLines({ bypass }: RunReport, paint: Paint): readonly string[] {
  const kinds = Map.groupBy(bypass, ({ agent, method }) => `${method} ${agent}`);
  return [...kinds.values()].flatMap((same) => [
    ...same
      .slice(0, listed)
      .map((seen) => `  ${paint.yellow(safe(seen.agent, 60))}  ${seen.method}  ${safe(seen.detail)}`),
    ...(same.length > listed ? [`  and ${same.length - listed} more of this kind`] : []),
  ]);
}

/** Why cells are unsupported, and how many for each reason. */
function unsupportedLines({ cells }: RunReport): readonly string[] {
  const reasons = Map.groupBy(
    cells.filter(({ outcome }) => outcome === 'unsupported'),
    ({ reason }) => reason ?? 'no reason given',
  );
  return [...reasons].map(([reason, same]) => `  ${count(same.length, 'cell')}: ${safe(reason)}`);
}

function propagationLine({ name, propagation: { verdict, hops } }: AgentReport): string {
  return `  ${pad(safe(name, 24), 12)}  ${pad(verdict, 14)}  ${count(hops, 'hop')} decided`;
}
