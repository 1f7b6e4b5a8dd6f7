import type { Binding, CellResult, ProtocolVersion, RunReport } from '@plugfest/model';
import { bindingLetters, bindingNames, type CellStanding, standingLetters, standingOf } from './labels.ts';

/**
 * How a pairing stands as a whole, the worst of its cells first. `breach`: the interactions worked, but a MUST
 * was broken on the way. `expected`: only what the lab foresaw failed or was broken. Only `pass` is green.
 */
export type PairingState = 'fail' | 'breach' | 'expected' | 'partial' | 'unsupported' | 'pass';

/** All scenarios of one client against one server over one binding and version. */
export interface Pairing {
  readonly client: string;
  readonly server: string;
  readonly binding: Binding;
  readonly version: ProtocolVersion;
  readonly cells: readonly CellResult[];
  readonly counts: Readonly<Record<CellStanding, number>>;
  /** Cells that could have worked: all but the unsupported. */
  readonly applicable: number;
  /** Rules (MUST) broken in these cells and not expected to be. */
  readonly broken: readonly string[];
  /** Rules (MUST) broken as expected, other than where the cell itself failed as expected. */
  readonly brokenAsExpected: readonly string[];
  readonly state: PairingState;
}

export interface Matrix {
  readonly clients: readonly string[];
  readonly servers: readonly string[];
  readonly pairings: readonly Pairing[];
}

type Source = Pick<RunReport, 'agents' | 'cells' | 'verdict'>;

/** Broken MUSTs by cell: those that nobody expected, or those that somebody did. */
function brokenByCell(report: Source, expected: boolean): ReadonlyMap<string, ReadonlySet<string>> {
  const result = new Map<string, Set<string>>();
  for (const finding of report.verdict.findings) {
    if (finding.cell === undefined || finding.outcome !== 'fail') continue;
    if ((finding.expectedBecause !== undefined) !== expected) continue;
    const rules = result.get(finding.cell) ?? new Set();
    rules.add(finding.rule);
    result.set(finding.cell, rules);
  }
  return result;
}

function stateOf({
  counts,
  broken,
  brokenAsExpected,
}: Pick<Pairing, 'counts' | 'broken' | 'brokenAsExpected'>): PairingState {
  if (counts.failed + counts.timeout > 0) return 'fail';
  if (broken.length > 0) return 'breach';
  if (counts.expected + brokenAsExpected.length > 0) return 'expected';
  if (counts['not-run'] > 0) return 'partial';
  return counts.ok > 0 ? 'pass' : 'unsupported';
}

/** The cells as a matrix: agents in the order of the report, others (`plugfest`, removed agents) after them. */
export function matrixOf(report: Source): Matrix {
  const unexpected = brokenByCell(report, false);
  const foreseen = brokenByCell(report, true);
  const groups = new Map<string, CellResult[]>();
  for (const cell of report.cells) {
    const key = JSON.stringify([cell.client, cell.server, cell.binding, cell.version]);
    const group = groups.get(key);
    if (group) group.push(cell);
    else groups.set(key, [cell]);
  }
  const pairings: Pairing[] = [];
  for (const cells of groups.values()) {
    const [first] = cells;
    if (!first) continue;
    const counts = { ok: 0, failed: 0, timeout: 0, expected: 0, unsupported: 0, 'not-run': 0 };
    for (const cell of cells) counts[standingOf(cell)] += 1;
    const rulesIn = (
      own: readonly CellResult[],
      byCell: ReadonlyMap<string, ReadonlySet<string>>,
    ): readonly string[] => [...new Set(own.flatMap((cell) => [...(byCell.get(cell.id) ?? [])]))].sort();
    const others = cells.filter((cell) => standingOf(cell) !== 'expected');
    const standing = {
      counts,
      broken: rulesIn(cells, unexpected),
      brokenAsExpected: rulesIn(others, foreseen),
    };
    pairings.push({
      client: first.client,
      server: first.server,
      binding: first.binding,
      version: first.version,
      cells,
      ...standing,
      applicable: cells.length - counts.unsupported,
      state: stateOf(standing),
    });
  }
  const listed = report.agents.map((agent) => agent.name);
  const inOrder = (names: readonly string[]): readonly string[] => {
    const present = new Set(names);
    return [...new Set([...listed.filter((name) => present.has(name)), ...names])];
  };
  return {
    clients: inOrder(report.cells.map((cell) => cell.client)),
    servers: inOrder(report.cells.map((cell) => cell.server)),
    pairings,
  };
}

/** One sign for how a pairing stands, so that nothing depends on colour. */
export const stateSigns: Readonly<Record<PairingState, string>> = {
  pass: '✓',
  fail: '✕',
  breach: '!',
  expected: '≈',
  partial: '–',
  unsupported: '∅',
};

export const stateNames: Readonly<Record<PairingState, string>> = {
  pass: 'all worked',
  fail: 'failures',
  breach: 'worked, but broke a MUST',
  expected: 'failed or broke a MUST only as expected',
  partial: 'not all were run',
  unsupported: 'unsupported',
};

/** One letter for binding and version: `J` is JSON-RPC 1.0, `j` is JSON-RPC 0.3. */
export function wireLetter({ binding, version }: Pick<Pairing, 'binding' | 'version'>): string {
  const letter = bindingLetters[binding];
  if (version === '1.0') return letter;
  return version === '0.3' ? letter.toLowerCase() : `${letter}${version}`;
}

/** `JSON-RPC 1.0`. */
export function wireOf(pairing: Pick<Pairing, 'binding' | 'version'>): string {
  return `${bindingNames[pairing.binding]} ${pairing.version}`;
}

/** `14/14`; `unsupported` where nothing could have worked. */
export function ratio(pairing: Pairing): string {
  return pairing.applicable === 0 ? 'unsupported' : `${pairing.counts.ok}/${pairing.applicable}`;
}

/**
 * What keeps a pairing from being clean, by letter: `F:push T:stream M:SSE-010`. `named` lists so many names per
 * letter; 0 gives counts only (`F1`).
 */
export function remarks(pairing: Pairing, named: number): readonly string[] {
  const part = (letter: string, names: readonly string[]): string[] => {
    if (names.length === 0) return [];
    if (named === 0) return [`${letter}${names.length}`];
    const rest = names.length - named;
    return [`${letter}:${names.slice(0, named).join(',')}${rest > 0 ? `,+${rest}` : ''}`];
  };
  const cells = (standing: CellStanding): string[] =>
    part(
      standingLetters[standing],
      pairing.cells.filter((cell) => standingOf(cell) === standing).map((cell) => cell.scenario),
    );
  return [
    ...cells('failed'),
    ...cells('timeout'),
    ...part('M', pairing.broken),
    ...cells('expected'),
    ...part('m', pairing.brokenAsExpected),
    ...cells('not-run'),
    ...(pairing.applicable === 0 ? [] : cells('unsupported')),
    ...part(
      'W',
      pairing.cells.filter(isAgainstAdvice).map(({ scenario }) => scenario),
    ),
    // What another did in the client's place must not read as if the client had.
    ...part(
      'S',
      pairing.cells.filter(({ standIn }) => standIn !== undefined).map(({ scenario }) => scenario),
    ),
  ];
}

/** It worked, though not as the specification recommends. */
const isAgainstAdvice = (cell: CellResult): boolean =>
  cell.outcome === 'ok' && cell.checks.some(({ ok, level }) => !ok && level === 'SHOULD');

/** The letters of `remarks`, for legends. */
export const remarkMeanings: readonly (readonly [letter: string, meaning: string])[] = [
  ['F', 'failed'],
  ['T', 'timed out'],
  ['M', 'broke a MUST'],
  ['X', 'failed as expected'],
  ['m', 'broke a MUST as expected'],
  ['N', 'not run'],
  ['U', 'unsupported, not counted'],
  ['W', 'worked, though not as a SHOULD has it'],
  ['S', 'called by a stand-in, not by the client'],
];
