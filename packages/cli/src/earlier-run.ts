import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type CellOutcome, isJsonObject, PlugfestError } from '@plugfest/model';
import type { EarlierRun } from '@plugfest/report';

/** A report of a lab of hundreds of thousands of exchanges; more is not worth waiting for. */
const mostBytes = 256 * 1024 * 1024;
const name = 'report.json';
const outcomes = new Set<unknown>([
  'ok',
  'failed',
  'unsupported',
  'not-run',
  'timeout',
] satisfies CellOutcome[]);

/**
 * The run that an output folder holds, where it is one of this lab; undefined where there is none. Whatever else lies
 * there is no reason not to run.
 */
export function runBefore(folder: string, lab: string): EarlierRun | undefined {
  const run = readRun(join(folder, name));
  return typeof run === 'object' && run.run.lab === lab ? run : undefined;
}

/**
 * The run that somebody wants to compare with: a `report.json`, or a folder that holds one.
 * @throws PlugfestError PLUGFEST_USAGE
 */
export function runToCompare(given: string, path: string): EarlierRun {
  const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const run = readRun(folder ? join(path, name) : path);
  if (typeof run === 'object') return run;
  throw new PlugfestError('PLUGFEST_USAGE', `--compare ${given}: ${run}`, {
    hint: 'Give the output folder of an earlier run, or the report.json in it.',
  });
}

/** The run, or what is wrong with the file. */
function readRun(file: string): EarlierRun | string {
  let text: string;
  try {
    const found = statSync(file);
    if (!found.isFile()) return 'is no regular file';
    if (found.size > mostBytes) return `larger than ${mostBytes} bytes`;
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return `cannot be read (${code})`;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is no JSON';
  }
  return isRun(value) ? value : 'is no report of a run (plugfest.report/1)';
}

function isRun(value: unknown): value is EarlierRun {
  if (!isJsonObject(value) || value.schema !== 'plugfest.report/1') return false;
  const { run, cells, verdict } = value;
  return (
    isJsonObject(run) &&
    ['id', 'lab', 'startedAt'].every((member) => typeof run[member] === 'string') &&
    typeof run.seed === 'number' &&
    Array.isArray(cells) &&
    cells.every((cell) => isJsonObject(cell) && typeof cell.id === 'string' && outcomes.has(cell.outcome)) &&
    isJsonObject(verdict) &&
    Array.isArray(verdict.findings) &&
    verdict.findings.every((finding) => isJsonObject(finding) && typeof finding.rule === 'string')
  );
}
