import type { CellResult, Finding } from '@plugfest/model';
import { remarksOf } from '../blame.ts';
import { standingOf } from '../labels.ts';
import { type Pairing, wireOf } from '../matrix.ts';
import { shorten } from '../printable.ts';
import { classPart, findingText, type Suite, type TestCase, token } from './suite.ts';

export function pairingSuite(
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
      ...pairing.cells.flatMap((cell) => remarksOf(cell).map((remark) => `${cell.scenario}: ${remark}`)),
    ],
  };
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
