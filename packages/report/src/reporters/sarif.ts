import { createHash } from 'node:crypto';
import type { Finding } from '@plugfest/model';
import { place } from '../labels.ts';
import { printable, shorten } from '../printable.ts';
import type { Reporter, VerdictInput } from '../reporter.ts';

/** SARIF 2.1.0, section 3.27.10. */
const levels = { fail: 'error', warn: 'warning', info: 'note' } as const;

const text = (value: string): { readonly text: string } => ({ text: shorten(printable(value), 4000) });

function resultOf(finding: Finding, indexes: ReadonlyMap<string, number>): object {
  const where = place(finding.at);
  const details = [
    `${finding.message} Broken by ${finding.agent} (${finding.party}).`,
    ...(finding.expected === undefined ? [] : [`Expected: ${finding.expected}`]),
    ...(finding.actual === undefined ? [] : [`Actual: ${finding.actual}`]),
    ...(finding.fix === undefined ? [] : [`Fix: ${finding.fix}`]),
  ];
  const index = indexes.get(finding.rule);
  // The same fault of the same agent in another run; exchange ids differ from run to run.
  const identity = JSON.stringify([
    finding.rule,
    finding.agent,
    finding.party,
    finding.cell,
    finding.message,
  ]);
  return {
    ruleId: finding.rule,
    ...(index === undefined ? {} : { ruleIndex: index }),
    level: levels[finding.outcome],
    message: text(details.join('\n')),
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: 'capture.sqlite' } },
        logicalLocations: [
          {
            name: printable(finding.exchange),
            fullyQualifiedName: printable([finding.exchange, where].filter((part) => part !== '').join(', ')),
            kind: 'object',
          },
        ],
      },
    ],
    partialFingerprints: { 'plugfest/1': createHash('sha256').update(identity).digest('hex') },
    ...(finding.expectedBecause === undefined
      ? {}
      : {
          suppressions: [
            { kind: 'external', status: 'accepted', justification: printable(finding.expectedBecause) },
          ],
        }),
    properties: {
      party: finding.party,
      agent: printable(finding.agent),
      spec: `A2A ${finding.spec.version} section ${finding.spec.section}`,
      ...(finding.cell === undefined ? {} : { cell: printable(finding.cell) }),
    },
  };
}

function render({ verdict, rules }: VerdictInput): string {
  const indexes = new Map(rules.map((rule, index) => [rule.id, index]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Plugfest',
            semanticVersion: verdict.rulebook.version,
            rules: rules.map((rule) => ({
              id: rule.id,
              shortDescription: text(rule.summary),
              fullDescription: text(rule.why),
              help: text(rule.fix),
              properties: { level: rule.level, party: rule.party, section: rule.section },
            })),
          },
        },
        invocations: [
          {
            // A rule that threw is a fault of ours: the analysis is not complete.
            executionSuccessful: verdict.summary.error === 0,
            toolExecutionNotifications: verdict.rules
              .filter((rule) => rule.error !== undefined)
              .map((rule) => ({
                level: 'error',
                message: text(rule.error ?? ''),
                associatedRule: { id: rule.id },
              })),
          },
        ],
        properties: { captureRoot: verdict.capture.root, rulebookHash: verdict.rulebook.hash },
        results: verdict.findings.map((finding) => resultOf(finding, indexes)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const sarif: Reporter = {
  format: 'sarif',
  about: 'SARIF 2.1.0 for code scanning: a result per finding, expected ones suppressed.',
  render: (report) => render({ verdict: report.verdict, rules: report.rules }),
  renderVerdict: render,
};

export default sarif;
