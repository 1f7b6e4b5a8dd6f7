import type {
  Binding,
  CellOutcome,
  CellResult,
  Finding,
  FindingLocation,
  Gap,
  RuleStatus,
} from '@plugfest/model';

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

/**
 * The strength of a rule beside a finding of it. A MUST that is only warned of, or a rule that is only noted, would
 * read as a contradiction: the words say why it does not count.
 */
export function levelText({ level, outcome }: Pick<Finding, 'outcome'> & { readonly level: string }): string {
  if (outcome === 'warn' && level === 'MUST') return 'MUST, spec open';
  return outcome === 'info' && level !== 'INFO' ? `${level}, not scored` : level;
}

const gapReasons: Readonly<Record<Gap['reason'], string>> = {
  'unclean-shutdown': 'the recorder ended without closing',
  'queue-full': 'the recorder could not keep up',
  'body-cap': 'a body was longer than is stored',
  disk: 'the file could not be written',
  decode: 'it could not be searched for secrets, and so was not stored',
};

/** When, why and how much: `at 1.204 s: the recorder could not keep up, 65,536 bytes lost, in x12`. */
function gapText({ atNs, reason, lostBytes, exchange, detail }: Gap): string {
  return [
    `at ${(atNs / 1e9).toFixed(3)} s: ${gapReasons[reason]}`,
    lostBytes === undefined ? 'how much was lost is not known' : `${count(lostBytes, 'byte')} lost`,
    ...(exchange === undefined ? [] : [`in ${exchange}`]),
    ...(detail === undefined ? [] : [detail]),
  ].join(', ');
}

/** How many gaps a report lists; the capture has all. */
const shownGaps = 20;

export function gapTexts(gaps: readonly Gap[]): readonly string[] {
  const rest = gaps.length - shownGaps;
  return [
    ...gaps.slice(0, shownGaps).map(gapText),
    ...(rest > 0 ? [`and ${rest.toLocaleString('en')} more`] : []),
  ];
}
