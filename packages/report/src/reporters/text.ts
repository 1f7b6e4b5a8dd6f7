import type { AgentReport, RunReport, Verdict } from '@plugfest/model';
import { type BlamedCells, blameOf, remarksOf } from '../blame.ts';
import { type Cause, causesOf, expectedCausesOf, type Unexplained, unexplainedOf } from '../causes.ts';
import { changeText, comparisonSentence, directionSigns, worstFirst } from '../comparison.ts';
import { count, gapTexts, levelText, list, place, ruleStatuses, ruleStatusNames } from '../labels.ts';
import { letterGrid } from '../letter-grid.ts';
import {
  type Matrix,
  matrixOf,
  type Pairing,
  type PairingState,
  ratio,
  remarkMeanings,
  remarks,
  wireOf,
} from '../matrix.ts';
import { oneLine, shorten } from '../printable.ts';
import { type Paint, plain, type Reporter, type VerdictInput } from '../reporter.ts';
import { type Tone, toneOf, toneWords, verdictSentence, verdictToneOf } from '../sentence.ts';

const width = 110;

/** Wire text for a terminal: one line, no escapes, bounded. */
const safe = (text: string, characters = 300): string => shorten(oneLine(text), characters);

/** Columns that a terminal gives to the text; wide East Asian characters take two. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += /\p{Mark}/u.test(character)
      ? 0
      : /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u.test(
            character,
          )
        ? 2
        : 1;
  return columns;
}

const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

function toneStyle(tone: Tone, paint: Paint): (text: string) => string {
  return { pass: paint.green, fail: paint.red, error: paint.red, caution: paint.yellow, empty: paint.dim }[
    tone
  ];
}

function stateStyle(state: PairingState, paint: Paint): (text: string) => string {
  const styles = {
    pass: paint.green,
    fail: paint.red,
    breach: paint.red,
    expected: paint.yellow,
    partial: paint.yellow,
    unsupported: paint.dim,
  };
  return styles[state];
}

const headline = (tone: Tone, text: string, paint: Paint): string =>
  `${toneStyle(tone, paint)(paint.bold(toneWords[tone]))}  ${paint.bold(safe(text, 1000))}`;

/** One pairing a line. */
function pairingLines(matrix: Matrix, paint: Paint): readonly string[] {
  const names = matrix.pairings.map((one) => `${safe(one.client, 24)} → ${safe(one.server, 24)}`);
  const nameColumns = Math.max(0, ...names.map(columnsOf));
  const wireColumns = Math.max(0, ...matrix.pairings.map((one) => columnsOf(wireOf(one))));
  return matrix.pairings.map((pairing, index) => {
    const result = safe([ratio(pairing), ...remarks(pairing, 2)].join('  '), 60);
    return `  ${pad(names[index] ?? '', nameColumns)}  ${pad(wireOf(pairing), wireColumns)}  ${stateStyle(pairing.state, paint)(result)}`;
  });
}

function matrixLines(matrix: Matrix, paint: Paint): readonly string[] {
  const wires = [...new Set(matrix.pairings.map(wireOf))];
  const rows = matrix.clients.flatMap((client) =>
    wires
      .map((wire) => ({
        client,
        wire,
        pairings: matrix.servers.map((server) =>
          matrix.pairings.find(
            (pairing) => pairing.client === client && pairing.server === server && wireOf(pairing) === wire,
          ),
        ),
      }))
      .filter((row) => row.pairings.some((pairing) => pairing !== undefined)),
  );
  const layout = (named: number) => {
    const text = (pairing: Pairing | undefined): string =>
      pairing ? safe([ratio(pairing), ...remarks(pairing, named)].join(' '), 60) : '·';
    const clientColumns = Math.max(6, ...matrix.clients.map((name) => columnsOf(safe(name, 24))));
    const wireColumns = Math.max(4, ...wires.map(columnsOf));
    const columns = matrix.servers.map((server, index) =>
      Math.max(columnsOf(safe(server, 24)), ...rows.map((row) => columnsOf(text(row.pairings[index])))),
    );
    const total = clientColumns + wireColumns + columns.reduce((sum, column) => sum + column + 2, 4);
    return { text, clientColumns, wireColumns, columns, total };
  };
  const named = [2, 1, 0].find((names) => layout(names).total <= width);
  if (named === undefined) {
    const stained = matrix.pairings.filter(({ state }) => state !== 'pass' && state !== 'unsupported');
    return [
      ...letterGrid(matrix, {
        paint,
        width,
        pad,
        columnsOf,
        name: (text) => safe(text, 24),
        state: (state) => stateStyle(state, paint),
      }),
      ...(stained.length === 0 ? [] : ['', ...pairingLines({ ...matrix, pairings: stained }, paint)]),
    ];
  }
  const { text, clientColumns, wireColumns, columns } = layout(named);
  const heading = `  ${pad('client', clientColumns)}  ${pad('wire', wireColumns)}${matrix.servers
    .map((server, index) => `  ${pad(safe(server, 24), columns[index] ?? 0)}`)
    .join('')}`;
  let previous: string | undefined;
  const body = rows.map((row) => {
    const client = row.client === previous ? '' : safe(row.client, 24);
    previous = row.client;
    return `  ${pad(client, clientColumns)}  ${pad(row.wire, wireColumns)}${row.pairings
      .map((pairing, index) => {
        const padded = pad(text(pairing), columns[index] ?? 0);
        return `  ${pairing ? stateStyle(pairing.state, paint)(padded) : paint.dim(padded)}`;
      })
      .join('')}`;
  });
  return [paint.dim(heading.trimEnd()), ...body.map((line) => line.trimEnd())];
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

/** The letters in use. */
function legendLines(matrix: Matrix, paint: Paint): readonly string[] {
  const letters = new Set(
    matrix.pairings.flatMap((pairing) => remarks(pairing, 0).map((remark) => remark.charAt(0))),
  );
  const legend = remarkMeanings.filter(([letter]) => letters.has(letter));
  if (legend.length === 0) return [];
  return ['', paint.dim(`  ${legend.map(([letter, meaning]) => `${letter} ${meaning}`).join(' · ')}`)];
}

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

/** Notes, a line for each rule: whom it was seen with, and what was seen first. */
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

const titled = (title: string, lines: readonly string[], paint: Paint): readonly string[] =>
  lines.length === 0 ? [] : ['', paint.bold(title), ...lines];

function verdictLines({ verdict, rules, gaps = [] }: VerdictInput, paint: Paint): readonly string[] {
  const causes = causesOf({ verdict, rules });
  const outcome = (wanted: string) =>
    causes.filter((cause) => cause.outcome === wanted).flatMap((cause) => causeLines(cause, paint));
  return [
    ...titled('Broken rules', outcome('fail'), paint),
    ...titled('Warnings', outcome('warn'), paint),
    ...titled(
      'Expected findings',
      expectedCausesOf({ verdict, rules }).flatMap((cause) => causeLines(cause, paint)),
      paint,
    ),
    ...titled(
      'Notes: seen, not scored',
      noteLines(
        causes.filter((cause) => cause.outcome === 'info'),
        paint,
      ),
      paint,
    ),
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
}

const selected = ({ rulebook: { selection } }: Verdict): string =>
  selection === undefined ? '' : `  only ${safe(selection.join(', '), 100)}`;

const footer = (verdict: Verdict, paint: Paint): readonly string[] => [
  '',
  `${paint.dim('rules    ')}${ruleTally(verdict)}`,
  `${paint.dim('capture  ')}${safe(verdict.capture.root, 100)}  ${count(verdict.capture.exchanges, 'exchange')}, ${count(verdict.capture.gaps, 'gap')}`,
  `${paint.dim('rulebook ')}${safe(verdict.rulebook.version, 40)}  ${safe(verdict.rulebook.hash, 100)}${selected(verdict)}`,
];

const join = (lines: readonly string[]): string => `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;

function run(report: RunReport, paint: Paint): string {
  const matrix = matrixOf(report);
  const unexplained = unexplainedOf(report);
  const failures = (wanted: (one: Unexplained) => boolean) =>
    unexplained.filter(wanted).map((one) => failureLine(one, paint));
  const expectedCells = report.cells.filter(
    (cell) => cell.expectedBecause !== undefined && ['failed', 'timeout'].includes(cell.outcome),
  );
  return join([
    headline(toneOf(report), report.sentence, paint),
    ...(report.cells.length > 0 ? ['', ...matrixLines(matrix, paint), ...legendLines(matrix, paint)] : []),
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
    ...verdictLines(report, paint),
    ...titled(
      'Cells that failed as expected',
      expectedCells.map(
        (cell) => `  ${paint.yellow(safe(cell.id, 90))}  ${safe(cell.expectedBecause ?? '')}`,
      ),
      paint,
    ),
    ...titled(
      'Cells expected to fail, but they did not',
      report.staleCellExpectations.map(
        (entry) => `  ${paint.red(safe(entry.cell, 90))}  ${safe(entry.reason)}`,
      ),
      paint,
    ),
    ...titled('Traffic that bypassed the proxy', bypassLines(report, paint), paint),
    ...titled('Unsupported', unsupportedLines(report), paint),
    ...titled('Remarks on cells', remarkLines(report), paint),
    ...titled(
      'Not watched',
      report.notes.map((note) => `  ${safe(note)}`),
      paint,
    ),
    ...titled(
      'Trace context: what each agent does with the traceparent that it is given',
      report.agents.filter(({ propagation }) => propagation.hops > 0).map(propagationLine),
      paint,
    ),
    ...footer(report.verdict, paint),
  ]);
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

const text: Reporter = {
  format: 'text',
  about: 'The verdict, the matrix and the causes, for the terminal.',
  render: (report, options) => run(report, options?.paint ?? plain),
  renderVerdict: (input, options) => {
    const paint = options?.paint ?? plain;
    return join([
      headline(verdictToneOf(input.verdict), verdictSentence(input.verdict), paint),
      ...verdictLines(input, paint),
      ...footer(input.verdict, paint),
    ]);
  },
};

export default text;
