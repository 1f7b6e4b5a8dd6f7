import type { RunReport } from '@plugfest/model';
import { document } from '../junit/document.ts';
import { expectationSuite } from '../junit/expectations.ts';
import { pairingSuite } from '../junit/pairings.ts';
import { ruleSuite } from '../junit/rules.ts';
import { matrixOf } from '../matrix.ts';
import type { Reporter, VerdictInput } from '../reporter.ts';
import { sentence, verdictSentence } from '../sentence.ts';

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
