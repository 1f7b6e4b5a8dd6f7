import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport, Verdict } from '@plugfest/model';

/** What `run` and `demo` leave in their folder. */
export const runFiles = [
  'capture.sqlite',
  'junit.xml',
  'report.html',
  'report.json',
  'report.md',
  'traces.otlp.jsonl',
  'verdict.json',
];

export function readReport(folder: string): RunReport {
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as RunReport;
}

export function readVerdict(folder: string): Verdict {
  return JSON.parse(readFileSync(join(folder, 'verdict.json'), 'utf8')) as Verdict;
}
