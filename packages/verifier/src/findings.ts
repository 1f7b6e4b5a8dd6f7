import type { Finding, OmittedFindings } from '@plugfest/model';

/** A finding with the sequence number of the exchange that shows it. */
export interface PlacedFinding {
  readonly finding: Finding;
  readonly seq: number;
}

/** All that was found, as far as it is kept. Plain data, so that it can cross threads. */
export interface FoundSoFar {
  readonly kept: readonly PlacedFinding[];
  readonly omitted: readonly OmittedFindings[];
}

/** How many findings of one group are kept in full. */
const keptPerGroup = 100;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Group {
  kept: number;
  omitted: Mutable<OmittedFindings> | undefined;
}

/**
 * Findings, bounded: of those that one rule has against one agent in one cell, the first are kept in full and the rest
 * is counted. A fault that shows in each of a million exchanges is the same fault, and must not fill the memory.
 */
export class Findings {
  readonly #kept: PlacedFinding[] = [];
  readonly #groups = new Map<string, Group>();
  #count = 0;

  /** How many were added, kept or not. */
  get count(): number {
    return this.#count;
  }

  add(finding: Finding, seq: number): void {
    this.#count += 1;
    const { rule, level, outcome, party, agent, cell } = finding;
    const key = `${rule}\u0000${outcome}\u0000${party}\u0000${agent}\u0000${cell ?? ''}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { kept: 0, omitted: undefined };
      this.#groups.set(key, group);
    }
    if (group.kept < keptPerGroup) {
      group.kept += 1;
      this.#kept.push({ finding, seq });
      return;
    }
    group.omitted ??= {
      rule,
      level,
      outcome,
      party,
      agent,
      ...(cell === undefined ? {} : { cell }),
      count: 0,
    };
    group.omitted.count += 1;
  }

  get(): FoundSoFar {
    const omitted: OmittedFindings[] = [];
    for (const group of this.#groups.values()) if (group.omitted !== undefined) omitted.push(group.omitted);
    return { kept: this.#kept, omitted };
  }
}

const placeOf = ({ rule, at, message }: Finding): string =>
  `${at?.side === 'request' ? 0 : 1}${String(at?.event ?? -1).padStart(8, '0')} ${rule} ${at?.pointer ?? ''} ${message}`;

/** Orders findings by their evidence, whoever found them and when. */
export function byEvidence(a: PlacedFinding, b: PlacedFinding): number {
  if (a.seq !== b.seq) return a.seq - b.seq;
  const [first, second] = [placeOf(a.finding), placeOf(b.finding)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** An order of the counts that does not depend on who counted. */
export function byGroup(a: OmittedFindings, b: OmittedFindings): number {
  const keyOf = ({ rule, outcome, party, agent, cell }: OmittedFindings): string =>
    [rule, agent, cell ?? '', party, outcome].join('\u0000');
  const [first, second] = [keyOf(a), keyOf(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}
