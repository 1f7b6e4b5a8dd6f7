import type { Binding, CellOutcome, CellResult, FindingLocation, RuleStatus } from '@plugfest/model';

export const bindingNames: Readonly<Record<Binding, string>> = {
  JSONRPC: 'JSON-RPC',
  'HTTP+JSON': 'REST',
  GRPC: 'gRPC',
};

export const bindingLetters: Readonly<Record<Binding, string>> = {
  JSONRPC: 'J',
  'HTTP+JSON': 'R',
  GRPC: 'G',
};

/** How a cell stands: its outcome, with a failure that the lab foresaw told apart. */
export type CellStanding = CellOutcome | 'expected';

export function standingOf(cell: CellResult): CellStanding {
  const wrong = cell.outcome === 'failed' || cell.outcome === 'timeout';
  return wrong && cell.expectedBecause !== undefined ? 'expected' : cell.outcome;
}

/** One letter each, so that nothing depends on colour. */
export const standingLetters: Readonly<Record<CellStanding, string>> = {
  ok: '✓',
  failed: 'F',
  timeout: 'T',
  expected: 'X',
  unsupported: 'U',
  'not-run': 'N',
};

export const standingNames: Readonly<Record<CellStanding, string>> = {
  ok: 'ok',
  failed: 'failed',
  timeout: 'timed out',
  expected: 'failed as expected',
  unsupported: 'unsupported',
  'not-run': 'not run',
};

/** In the order in which a reader needs them: worst first. */
export const ruleStatuses: readonly RuleStatus[] = [
  'fail',
  'error',
  'warn',
  'undecidable',
  'info',
  'pass',
  'not-exercised',
];

export const ruleStatusNames: Readonly<Record<RuleStatus, string>> = {
  fail: 'broken',
  error: 'rule error',
  warn: 'warned',
  undecidable: 'undecidable',
  info: 'noted',
  pass: 'passed',
  'not-exercised': 'not exercised',
};

/** `3 cells`, `1 cell`; the plural is given where it is not the word with an s. */
export function count(number: number, word: string, plural = `${word}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? word : plural}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** `12 ms`, `1.24 s`, `3 min 05 s`. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Where in an exchange, in words: `response, event 3, /result/task/id`. */
export function place(at: FindingLocation | undefined): string {
  if (!at) return '';
  return [
    at.side,
    at.event === undefined ? '' : `event ${at.event}`,
    at.header === undefined ? '' : `header ${at.header}`,
    at.pointer === undefined ? '' : at.pointer === '' ? 'whole body' : at.pointer,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
