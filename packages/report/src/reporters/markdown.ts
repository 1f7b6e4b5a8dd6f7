import type { RunReport, Verdict } from '@plugfest/model';
import { blameOf } from '../blame.ts';
import { type Cause, causesOf, expectedCausesOf, type Unexplained, unexplainedOf } from '../causes.ts';
import { changeText, comparisonSentence, directionSigns, worstFirst } from '../comparison.ts';
import {
  bindingNames,
  count,
  duration,
  gapTexts,
  levelText,
  list,
  place,
  ruleStatuses,
  ruleStatusNames,
  standingOf,
} from '../labels.ts';
import { code, prose, table, tableCode } from '../markdown.ts';
import { matrixOf, ratio, remarkMeanings, remarks, wireOf } from '../matrix.ts';
import type { Reporter, VerdictInput } from '../reporter.ts';
import { stepsToReproduce } from '../reproduce.ts';
import { toneOf, toneWords, verdictSentence, verdictToneOf } from '../sentence.ts';

/** A heading and its lines; nothing where there are none. */
const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines];

function matrixLines(report: RunReport): readonly string[] {
  const matrix = matrixOf(report);
  if (matrix.pairings.length === 0) return ['No cells.', ''];
  const wires = [...new Set(matrix.pairings.map(wireOf))];
  const rows = matrix.clients.flatMap((client) =>
    wires
      .map((wire) =>
        matrix.servers.map((server) =>
          matrix.pairings.find(
            (one) => one.client === client && one.server === server && wireOf(one) === wire,
          ),
        ),
      )
      .flatMap((pairings, index) =>
        pairings.every((pairing) => pairing === undefined)
          ? []
          : [
              [
                tableCode(client),
                wires[index] ?? '',
                ...pairings.map((pairing) =>
                  pairing
                    ? [ratio(pairing), ...remarks(pairing, 3).map((remark) => tableCode(remark))].join(' ')
                    : '',
                ),
              ],
            ],
      ),
  );
  return [
    'Rows are clients, columns servers; a cell says how many scenarios worked of those that apply.',
    '',
    ...table(['client', 'wire', ...matrix.servers.map((server) => tableCode(server))], rows),
    `${remarkMeanings.map(([letter, meaning]) => `${letter} ${meaning}`).join(' · ')}`,
    '',
  ];
}

function comparisonSection({ comparison }: RunReport): readonly string[] {
  if (comparison === undefined) return [];
  const changes = worstFirst(comparison)
    .slice(0, 100)
    .map(
      (change) => `- ${directionSigns[change.direction]} ${code(change.cell)}: ${prose(changeText(change))}`,
    );
  return section('Changes', [
    `Since the run of ${prose(comparison.with.startedAt)}: ${comparisonSentence(comparison)}`,
    '',
    ...(changes.length > 0 ? [...changes, ''] : []),
  ]);
}

function causeLines(cause: Cause): readonly string[] {
  const { first } = cause;
  const item = (label: string, value: string | undefined): readonly string[] =>
    value === undefined || value === '' ? [] : [`- ${label}: ${value}`];
  const shown = cause.cells.slice(0, 5).map((cell) => code(cell));
  const more = cause.cells.length - shown.length;
  return [
    `### ${prose(cause.rule)} · ${prose(cause.agent)} (${cause.party})`,
    '',
    prose(first.message),
    '',
    ...item('level', prose(levelText(cause))),
    ...item(
      'count',
      `${count(cause.count, 'time')}${cause.cells.length > 0 ? ` in ${count(cause.cells.length, 'cell')}` : ''}`,
    ),
    ...item(
      'cells',
      shown.length > 0 ? `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}` : undefined,
    ),
    ...item('expected', first.expected === undefined ? undefined : code(first.expected)),
    ...item('actual', first.actual === undefined ? undefined : code(first.actual)),
    ...item('why', cause.info ? prose(cause.info.why) : undefined),
    ...item('fix', cause.fix === undefined ? undefined : prose(cause.fix)),
    ...item(
      'reason to expect it',
      cause.expectedBecause === undefined ? undefined : prose(cause.expectedBecause),
    ),
    ...item('spec', `A2A ${prose(first.spec.version)} section ${prose(first.spec.section)}`),
    ...item(
      'first exchange',
      [code(first.exchange), ...(place(first.at) === '' ? [] : [code(place(first.at))])].join(', '),
    ),
    ...item(
      'other wordings',
      cause.messages.length > 1
        ? cause.messages
            .slice(1, 4)
            .map((message) => prose(message, 200))
            .join('; ')
        : undefined,
    ),
    '',
  ];
}

function causeSections({ verdict, rules }: VerdictInput): readonly string[] {
  const causes = causesOf({ verdict, rules });
  const of = (outcome: string): readonly string[] =>
    causes.filter((cause) => cause.outcome === outcome).flatMap(causeLines);
  return [
    ...section('Broken rules', of('fail')),
    ...section('Warnings', of('warn')),
    ...section('Notes', of('info')),
  ];
}

function expectedSections({ verdict, rules }: VerdictInput, report?: RunReport): readonly string[] {
  const cells = (report?.cells ?? []).filter((cell) => standingOf(cell) === 'expected');
  const stale = [
    ...verdict.staleExpectations.map(
      (entry) =>
        `- ${code([entry.rule, entry.agent, entry.party, entry.scenario].filter(Boolean).join(' '))}: ${prose(entry.reason)}`,
    ),
    ...(report?.staleCellExpectations ?? []).map((entry) => `- ${code(entry.cell)}: ${prose(entry.reason)}`),
  ];
  return [
    ...section('Expected findings', expectedCausesOf({ verdict, rules }).flatMap(causeLines)),
    ...section(
      'Cells that failed as expected',
      cells.length === 0
        ? []
        : table(
            ['cell', 'what happened', 'expected because'],
            cells.map((cell) => [
              tableCode(cell.id),
              prose(cell.reason ?? ''),
              prose(cell.expectedBecause ?? ''),
            ]),
          ),
    ),
    ...section('Expected, but did not happen', stale.length > 0 ? [...stale, ''] : []),
  ];
}

function ruleSection(verdict: Verdict): readonly string[] {
  const rows = ruleStatuses.map((status) => {
    const rules = verdict.rules.filter((rule) => rule.status === status);
    const exercised = rules.reduce((sum, rule) => sum + rule.exercised, 0);
    const named = status === 'pass' || status === 'not-exercised' ? [] : rules.slice(0, 12);
    return [
      ruleStatusNames[status],
      String(rules.length),
      String(exercised),
      `${named.map((rule) => prose(rule.id)).join(', ')}${rules.length > named.length && named.length > 0 ? ', …' : ''}`,
    ];
  });
  const threw = verdict.rules
    .filter((rule) => rule.error !== undefined)
    .map((rule) => `- ${prose(rule.id)} threw, a fault of Plugfest: ${code(rule.error ?? '')}`);
  return section('Rules', [
    `${verdict.rules.filter((rule) => rule.exercised > 0).length} of ${count(verdict.rules.length, 'rule')} exercised. Only an exercised rule can pass.`,
    '',
    ...table(['status', 'rules', 'times exercised', 'which'], rows, [1, 2]),
    ...(threw.length > 0 ? [...threw, ''] : []),
  ]);
}

const gapSection = ({ gaps = [] }: VerdictInput): readonly string[] =>
  section(
    'Gaps in the capture',
    gaps.length === 0
      ? []
      : ['What was not stored was not judged.', '', ...gapTexts(gaps).map((gap) => `- ${prose(gap)}`), ''],
  );

const identity = (verdict: Verdict): readonly string[] => [
  `- capture: ${code(verdict.capture.root)}, ${count(verdict.capture.exchanges, 'exchange')}, ${count(verdict.capture.gaps, 'gap')}`,
  `- rulebook: ${code(verdict.rulebook.version)}, ${code(verdict.rulebook.hash)}, ${count(verdict.rulebook.rules, 'rule')}${verdict.rulebook.selection === undefined ? '' : ` (only ${verdict.rulebook.selection.map((glob) => code(glob)).join(', ')})`}`,
];

function blameRows({ cells }: RunReport): readonly string[] {
  const blamed = blameOf(cells);
  if (blamed.length === 0) return [];
  return table(
    ['cells', 'who', 'why', 'first'],
    blamed.map(({ who, why, cells: of }) => [
      String(of.length),
      prose(who),
      prose(why),
      tableCode(of[0]?.id ?? ''),
    ]),
    [0],
  );
}

function unexplainedSection(report: RunReport): readonly string[] {
  const [hinted = [], unhinted = []] = [true, false].map((wanted) =>
    unexplainedOf(report).filter(({ hints }) => hints.length > 0 === wanted),
  );
  const rows = (groups: readonly Unexplained[]): readonly string[] =>
    groups.length === 0
      ? []
      : table(
          ['cells', 'what happened', 'which'],
          groups.map(({ outcome, reason, cells, hints }) => [
            String(cells.length),
            `${outcome === 'timeout' ? 'timed out: ' : ''}${prose(reason)}${hints.length === 0 ? '' : ` (see ${prose(list(hints))})`}`,
            `${cells
              .slice(0, 4)
              .map((cell) => tableCode(cell.id))
              .join(', ')}${cells.length > 4 ? ', …' : ''}`,
          ]),
          [0],
        );
  return [
    ...section('Failures that no broken rule explains', rows(unhinted)),
    ...section('Failures beside a note or an expected finding', rows(hinted)),
    ...section('Whose fault, by reference peers', blameRows(report)),
  ];
}

function agentSections(report: RunReport): readonly string[] {
  const linked = Map.groupBy(report.links, (link) => link.method);
  const methods = [...linked].map(([method, links]) => `${links.length} by ${method}`);
  return [
    ...section(
      'Agents',
      report.agents.length === 0
        ? []
        : [
            ...table(
              ['agent', 'about', 'versions', 'bindings', 'trace context', 'hops'],
              report.agents.map((agent) => [
                tableCode(agent.name),
                prose(agent.about, 160),
                agent.versions.map((version) => prose(version)).join(', '),
                agent.bindings.map((binding) => bindingNames[binding]).join(', '),
                agent.propagation.verdict,
                String(agent.propagation.hops),
              ]),
              [5],
            ),
            ...(methods.length > 0 ? [`Hops linked to their cause: ${methods.join(', ')}.`, ''] : []),
          ],
    ),
    ...section(
      'Traffic that bypassed the proxy',
      report.bypass.length === 0
        ? []
        : table(
            ['agent', 'noticed by', 'detail', 'cell'],
            report.bypass.map((seen) => [
              tableCode(seen.agent),
              seen.method,
              prose(seen.detail),
              seen.cell === undefined ? '' : tableCode(seen.cell),
            ]),
          ),
    ),
    ...section(
      'Remarks on the run',
      report.notes.length === 0 ? [] : [...report.notes.map((note) => `- ${prose(note)}`), ''],
    ),
  ];
}

function runMarkdown(report: RunReport): string {
  const { run } = report;
  return [
    `# ${prose(run.title, 200)}`,
    '',
    `**${toneWords[toneOf(report)]}.** ${prose(report.sentence, 2000)}`,
    '',
    ...section('Matrix', matrixLines(report)),
    ...comparisonSection(report),
    ...unexplainedSection(report),
    ...causeSections(report),
    ...expectedSections(report, report),
    ...gapSection(report),
    ...agentSections(report),
    ...ruleSection(report.verdict),
    ...section('How to reproduce', [
      ...stepsToReproduce(report).flatMap(({ about, command }) => [`- ${about}: ${code(command, 600)}`]),
      '',
      `- run: ${code(run.id)}, lab ${code(run.lab)}, seed ${run.seed}, tracing ${run.tracing}`,
      `- started: ${prose(run.startedAt)}, took ${duration(run.durationMs)}`,
      `- plugfest ${prose(run.plugfest)}, Node ${prose(run.node)}`,
      ...identity(report.verdict),
      '',
    ]),
  ].join('\n');
}

const markdown: Reporter = {
  format: 'markdown',
  about: 'A page of Markdown: verdict, matrix, causes, agents and how to reproduce.',
  file: 'report.md',
  render: runMarkdown,
  renderVerdict: (input) =>
    [
      '# Verdict',
      '',
      `**${toneWords[verdictToneOf(input.verdict)]}.** ${prose(verdictSentence(input.verdict), 2000)}`,
      '',
      ...causeSections(input),
      ...expectedSections(input),
      ...gapSection(input),
      ...ruleSection(input.verdict),
      ...section('How to reproduce', [
        '- Judge the capture again: `plugfest verify capture.sqlite`',
        ...identity(input.verdict),
        '',
      ]),
    ].join('\n'),
};

export default markdown;
