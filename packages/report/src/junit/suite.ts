import type { Finding } from '@plugfest/model';
import { place } from '../labels.ts';
import { oneLine, shorten } from '../printable.ts';

export interface TestCase {
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

export interface Suite {
  readonly name: string;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly TestCase[];
  readonly out: readonly string[];
}

/** A name as xs:token wants it: no line breaks, no runs of spaces, never empty. */
export const token = (text: string): string =>
  shorten(oneLine(text).replace(/\s+/g, ' ').trim(), 500) || '(empty)';

/** Class names are split at dots by readers; a dot of ours must not make a package of theirs. */
export const classPart = (text: string): string => token(text).replaceAll('.', '·');

export function findingText(finding: Finding): string {
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
