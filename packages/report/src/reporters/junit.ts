import type { CellResult, Finding, RunReport, Verdict } from '@plugfest/model';
import { count, list, place, ruleStatuses, ruleStatusNames, standingOf } from '../labels.ts';
import { matrixOf, type Pairing, wireOf } from '../matrix.ts';
import { oneLine, shorten } from '../printable.ts';
import type { Reporter, VerdictInput } from '../reporter.ts';
import { sentence, verdictSentence } from '../sentence.ts';
import { type XmlElement, xml } from '../xml.ts';

/*
 * The document satisfies both schemas that CI servers check: Jenkins' junit-10.xsd and the stricter
 * windyroad/JUnit-Schema, i.e. at most one child in a testcase, `properties` first and `system-out` and
 * `system-err` last in a suite, no attributes on `testsuites`, a `timestamp` without zone or fraction.
 */

interface TestCase {
  readonly name: string;
  readonly className: string;
  readonly ms: number;
  readonly result?: {
    readonly kind: 'failure' | 'error' | 'skipped';
    readonly type: string;
    readonly message: string;
    readonly text?: string;
  };
}

interface Suite {
  readonly name: string;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly TestCase[];
  readonly out: readonly string[];
}

/** A name as xs:token wants it: no line breaks, no runs of spaces, never empty. */
const token = (text: string): string => shorten(oneLine(text).replace(/\s+/g, ' ').trim(), 500) || '(empty)';

/** Class names are split at dots by readers; a dot of ours must not make a package of theirs. */
const classPart = (text: string): string => token(text).replaceAll('.', '·');

const seconds = (ms: number): string => (Number.isFinite(ms) && ms > 0 ? ms / 1000 : 0).toFixed(3);

function findingText(finding: Finding): string {
  const lines = [
    `${finding.rule} (${finding.level}) broken by ${finding.agent} (${finding.party}): ${finding.message}`,
    ...(finding.expected === undefined ? [] : [`expected: ${finding.expected}`]),
    ...(finding.actual === undefined ? [] : [`actual: ${finding.actual}`]),
    `where: exchange ${[finding.exchange, place(finding.at)].filter((part) => part !== '').join(', ')}`,
    ...(finding.cell === undefined ? [] : [`cell: ${finding.cell}`]),
    ...(finding.fix === undefined ? [] : [`fix: ${finding.fix}`]),
    `spec: A2A ${finding.spec.version} section ${finding.spec.section}`,
  ];
  return lines.map((line) => shorten(line, 4000)).join('\n');
}

function cellCase(cell: CellResult, className: string, findings: readonly Finding[]): TestCase {
  const base = { name: token(cell.scenario), className, ms: cell.durationMs };
  const reason = cell.reason ?? 'no reason was given';
  switch (standingOf(cell)) {
    case 'failed':
    case 'timeout': {
      const checks = cell.checks.map(
        (check) =>
          `${check.ok ? 'ok  ' : (check.level ?? 'FAIL')} ${check.name}${check.detail === undefined ? '' : `: ${check.detail}`}`,
      );
      const text = [
        `cell: ${cell.id}`,
        ...checks,
        `exchanges: ${cell.exchanges.join(', ') || 'none'}`,
        ...findings.map((finding) => `\n${findingText(finding)}`),
      ].join('\n');
      return {
        ...base,
        result: { kind: 'failure', type: cell.outcome, message: shorten(reason, 1000), text },
      };
    }
    case 'unsupported':
    case 'not-run':
      return {
        ...base,
        result: { kind: 'skipped', type: cell.outcome, message: `${cell.outcome}: ${shorten(reason, 1000)}` },
      };
    case 'expected':
      return {
        ...base,
        result: {
          kind: 'skipped',
          type: 'expected',
          message: `failed as expected: ${shorten(reason, 1000)} (expected because: ${shorten(cell.expectedBecause ?? '', 1000)})`,
        },
      };
    case 'ok':
      return base;
  }
}

function pairingSuite(
  pairing: Pairing,
  findingsByCell: ReadonlyMap<string | undefined, readonly Finding[]>,
): Suite {
  const name = token(`${pairing.client} → ${pairing.server}, ${wireOf(pairing)}`);
  const className = [pairing.client, pairing.server, wireOf(pairing)].map(classPart).join('.');
  const expected = pairing.cells.filter((cell) => standingOf(cell) === 'expected');
  const breaches = pairing.cells
    .filter((cell) => cell.outcome === 'ok')
    .flatMap((cell) => (findingsByCell.get(cell.id) ?? []).filter((finding) => finding.outcome === 'fail'));
  return {
    name,
    properties: [
      ['client', pairing.client],
      ['server', pairing.server],
      ['binding', pairing.binding],
      ['version', pairing.version],
      ...expected.map(
        (cell) => [`expected-failure:${token(cell.scenario)}`, cell.expectedBecause ?? ''] as const,
      ),
    ],
    cases: pairing.cells.map((cell) => cellCase(cell, className, findingsByCell.get(cell.id) ?? [])),
    out: [
      ...expected.map(
        (cell) =>
          `expected failure: ${cell.scenario}: ${cell.reason ?? cell.outcome} (expected because: ${cell.expectedBecause})`,
      ),
      ...breaches.map((finding) => `worked, but ${findingText(finding)}`),
    ],
  };
}

/** A case for every rule that was exercised, threw, or has findings; its name never depends on the outcome. */
function ruleSuite(verdict: Verdict): Suite {
  const findings = Map.groupBy(verdict.findings, (finding) => finding.rule);
  const out: string[] = [];
  const cases = verdict.rules
    .filter(
      (rule) =>
        rule.exercised > 0 ||
        rule.status === 'error' ||
        rule.status === 'undecidable' ||
        findings.has(rule.id),
    )
    .map((rule): TestCase => {
      const base = {
        name: token(rule.id),
        className: `rules.${classPart(rule.id.replace(/-\d+$/, ''))}`,
        ms: 0,
      };
      const own = findings.get(rule.id) ?? [];
      const broken = own.filter(
        (finding) => finding.outcome === 'fail' && finding.expectedBecause === undefined,
      );
      const rest = own.filter((finding) => !broken.includes(finding));
      for (const finding of rest.slice(0, 20)) {
        const prefix =
          finding.expectedBecause === undefined
            ? finding.outcome
            : `expected because: ${finding.expectedBecause}`;
        out.push(`${prefix}\n${findingText(finding)}\n`);
      }
      if (rest.length > 20) out.push(`${rule.id}: ${rest.length - 20} more\n`);
      if (broken.length > 0) {
        const who = [...new Set(broken.map((finding) => `${finding.agent} (${finding.party})`))].sort();
        const message = `${rule.id} broken ${count(broken.length, 'time')} by ${list(who)}: ${broken[0]?.message ?? ''}`;
        const shown = broken.slice(0, 20).map(findingText);
        const more =
          broken.length > shown.length ? [`${broken.length - shown.length} more in verdict.json`] : [];
        const text = [...shown, ...more].join('\n\n');
        return {
          ...base,
          result: {
            kind: 'failure',
            type: broken[0]?.level ?? 'MUST',
            message: shorten(message, 1000),
            text,
          },
        };
      }
      if (rule.status === 'error')
        return {
          ...base,
          result: { kind: 'error', type: 'harness', message: shorten(rule.error ?? 'The rule threw.', 1000) },
        };
      const [foreseen] = own.filter(({ outcome }) => outcome === 'fail');
      if (foreseen !== undefined)
        return {
          ...base,
          result: {
            kind: 'skipped',
            type: 'expected',
            message: `broken as expected: ${shorten(foreseen.message, 1000)} (expected because: ${shorten(foreseen.expectedBecause ?? '', 1000)})`,
          },
        };
      if (rule.status === 'undecidable')
        return {
          ...base,
          result: {
            kind: 'skipped',
            type: 'undecidable',
            message: `undecidable: evidence was cut off in ${count(rule.undecidable, 'place')}`,
          },
        };
      return base;
    });
  return {
    name: 'rules',
    properties: [
      ['capture.root', verdict.capture.root],
      ['rulebook.hash', verdict.rulebook.hash],
      ...ruleStatuses.map(
        (status) =>
          [
            `rules ${ruleStatusNames[status]}`,
            String(verdict.rules.filter((rule) => rule.status === status).length),
          ] as const,
      ),
      ...verdict.findings
        .filter((finding) => finding.expectedBecause !== undefined)
        .map(
          (finding) =>
            [
              `expected-finding:${token(`${finding.rule} ${finding.agent}`)}`,
              finding.expectedBecause ?? '',
            ] as const,
        ),
    ],
    cases,
    out,
  };
}

/** What was expected to fail and did not: each entry fails the run. Always there, so that it can turn green again. */
function expectationSuite(verdict: Verdict, cells: RunReport['staleCellExpectations']): Suite {
  const stale = (name: string, reason: string): TestCase => ({
    name: token(name),
    className: 'expectations',
    ms: 0,
    result: {
      kind: 'failure',
      type: 'stale',
      message: `expected to fail, but did not: ${shorten(reason, 1000)}`,
    },
  });
  const cases = [
    ...verdict.staleExpectations.map((entry) =>
      stale([entry.rule, entry.agent, entry.party, entry.scenario].filter(Boolean).join(' '), entry.reason),
    ),
    ...cells.map((entry) => stale(entry.cell, entry.reason)),
  ];
  return {
    name: 'expectations',
    properties: [],
    cases: cases.length > 0 ? cases : [{ name: 'no stale expectation', className: 'expectations', ms: 0 }],
    out: [],
  };
}

function suiteXml(suite: Suite, id: number, startedAt: string | undefined): XmlElement {
  const tally = (kind: string): number => suite.cases.filter((one) => one.result?.kind === kind).length;
  const time = new Date(startedAt ?? Number.NaN);
  return {
    name: 'testsuite',
    attributes: {
      name: suite.name,
      package: 'plugfest',
      id,
      timestamp: Number.isNaN(time.getTime()) ? undefined : time.toISOString().slice(0, 19),
      hostname: 'localhost',
      tests: suite.cases.length,
      failures: tally('failure'),
      errors: tally('error'),
      skipped: tally('skipped'),
      time: seconds(suite.cases.reduce((sum, one) => sum + one.ms, 0)),
    },
    content: [
      {
        name: 'properties',
        attributes: {},
        content: suite.properties.map(([name, value]) => ({
          name: 'property',
          attributes: { name, value: shorten(value, 4000) },
        })),
      },
      ...suite.cases.map(
        ({ name, className, ms, result }): XmlElement => ({
          name: 'testcase',
          attributes: { name, classname: className, time: seconds(ms) },
          content: result
            ? [
                {
                  name: result.kind,
                  // Where a test was skipped, windyroad's schema allows no type; the message starts with it.
                  attributes: {
                    type: result.kind === 'skipped' ? undefined : result.type,
                    message: result.message,
                  },
                  content: result.text ?? '',
                },
              ]
            : [],
        }),
      ),
      { name: 'system-out', attributes: {}, content: suite.out.join('\n') },
      { name: 'system-err', attributes: {} },
    ],
  };
}

function document(suites: readonly Suite[], startedAt: string | undefined): string {
  const root: XmlElement = {
    name: 'testsuites',
    attributes: {},
    content: suites.map((suite, id) => suiteXml(suite, id, startedAt)),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml(root)}`;
}

function runJunit(report: RunReport): string {
  const findings = Map.groupBy(report.verdict.findings, (finding) => finding.cell);
  const rules = ruleSuite(report.verdict);
  const bypass = report.bypass.map((seen) => `bypass: ${seen.agent} (${seen.method}): ${seen.detail}`);
  return document(
    [
      ...matrixOf(report).pairings.map((pairing) => pairingSuite(pairing, findings)),
      {
        ...rules,
        properties: [
          ['run', report.run.id],
          ['seed', String(report.run.seed)],
          ['verdict', report.sentence || sentence(report)],
          ...rules.properties,
        ],
        out: [...bypass, ...rules.out],
      },
      expectationSuite(report.verdict, report.staleCellExpectations),
    ],
    report.run.startedAt,
  );
}

function verdictJunit({ verdict, startedAt }: VerdictInput): string {
  const rules = ruleSuite(verdict);
  return document(
    [
      { ...rules, properties: [['verdict', verdictSentence(verdict)], ...rules.properties] },
      expectationSuite(verdict, []),
    ],
    startedAt,
  );
}

const junit: Reporter = {
  format: 'junit',
  about: 'JUnit XML for CI servers: a suite per pairing, a case per scenario, and a suite of rules.',
  file: 'junit.xml',
  render: runJunit,
  renderVerdict: verdictJunit,
};

export default junit;
