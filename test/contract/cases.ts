import { readFileSync } from 'node:fs';

/** One line of exchange NDJSON (docs/exchange-ndjson.md). */
export interface NdjsonLine {
  readonly from: string;
  readonly to: string;
}

/** A minimal exchange after a public bug report, and what the verifier has to say of it (test/fixtures/*cases.jsonl). */
export interface Case {
  readonly id: string;
  readonly exchange: readonly NdjsonLine[];
  readonly expected: {
    readonly outcome: 'fail' | 'warn' | 'pass';
    /** Any of these is to blame; nobody in particular where there are none. */
    readonly parties: readonly string[];
  };
  /** `active`: traffic alone does not show it (docs/cases.md). */
  readonly detectable: 'passive' | 'active';
  /** One of these rules has to give the finding; in cases of our own only. */
  readonly rules?: readonly string[];
}

export function readCases(file: string): readonly Case[] {
  return readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Case => JSON.parse(line));
}
