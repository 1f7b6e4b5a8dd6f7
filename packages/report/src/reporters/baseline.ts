import type { Finding, Verdict } from '@plugfest/model';
import { scenarioOfCell } from '@plugfest/model';
import type { Reporter } from '../reporter.ts';

const head = `# Findings that are known. Give each its reason; one that does not happen any more fails the verification.
# plugfest verify CAPTURE --baseline THIS_FILE
`;

function entryOf({ rule, agent, party, cell, expectedBecause = '' }: Finding): string {
  const scenario = scenarioOfCell(cell) ?? '';
  const members = { rule, agent, party, ...(scenario === '' ? {} : { scenario }), reason: expectedBecause };
  // A JSON string is a YAML string, whatever an agent calls itself.
  const lines = Object.entries(members).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `  - ${lines.join('\n    ')}\n`;
}

function baselineOf({ findings }: Verdict): string {
  const entries = new Set(findings.filter(({ outcome }) => outcome !== 'info').map(entryOf));
  return `${head}findings:${entries.size === 0 ? ' []\n' : `\n${[...entries].join('')}`}`;
}

const baseline: Reporter = {
  format: 'baseline',
  about: 'The failures and warnings as a baseline for `verify --baseline`, each to be given its reason.',
  render: ({ verdict }) => baselineOf(verdict),
  renderVerdict: ({ verdict }) => baselineOf(verdict),
};

export default baseline;
