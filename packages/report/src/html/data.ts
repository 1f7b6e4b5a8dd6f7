import type { CellCheck, Finding, ReportExchange, RunReport } from '@plugfest/model';
import { blameOf, remarksOf } from '../blame.ts';
import { type CellStanding, duration, place, standingLetters, standingNames, standingOf } from '../labels.ts';
import { wireOf } from '../matrix.ts';
import { printable } from '../printable.ts';
import { againPrefix, shellWord } from '../reproduce.ts';
import { countEvents, locateInBody, locateInHead, type Range } from './locate.ts';

/** One side of an exchange. `cut` counts the characters that this page leaves out of the body. */
export interface PageMessage {
  readonly head: string;
  readonly body: string;
  readonly cut: number;
  /** True where the report itself had only a part of the body. */
  readonly truncated: boolean;
}

export interface PageExchange {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: ReportExchange['kind'];
  readonly at: number;
  readonly ms: number;
  readonly took: string;
  readonly label: string;
  readonly status?: number;
  readonly end: string;
  /** Events of the response, where it is an event stream. */
  readonly events?: number;
  /** A MUST was broken in it, or it did not end by itself. */
  readonly bad: boolean;
  readonly request: PageMessage;
  readonly response?: PageMessage;
}

export interface PageFinding {
  readonly rule: string;
  readonly level: string;
  readonly outcome: Finding['outcome'];
  readonly who: string;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly fix?: string;
  readonly why?: string;
  readonly spec: string;
  readonly where: string;
  readonly because?: string;
  /** Index into `exchanges`; absent where this page has not that exchange. */
  readonly exchange?: number;
  readonly mark?: Range & { readonly side: 'request' | 'response'; readonly part: 'head' | 'body' };
}

export interface PageCell {
  readonly id: string;
  readonly client: string;
  readonly server: string;
  readonly wire: string;
  readonly scenario: string;
  readonly standing: CellStanding;
  readonly letter: string;
  readonly word: string;
  readonly took: string;
  readonly reason?: string;
  readonly because?: string;
  /** How it came about, and whose fault it is, in sentences. */
  readonly remarks: readonly string[];
  readonly checks: readonly CellCheck[];
  readonly exchanges: readonly number[];
  readonly findings: readonly number[];
  /** Its id as a word for a shell, to put behind `again`. */
  readonly shellWord: string;
}

/** What the script of the page reads. All text is printable already. */
export interface PageData {
  readonly cells: readonly PageCell[];
  readonly exchanges: readonly PageExchange[];
  readonly findings: readonly PageFinding[];
  /** Exchanges left out to keep the page small. */
  readonly leftOut: number;
  /** The command that runs a cell again, up to the word that names it. */
  readonly again: string;
}

/** Above this the page would open slowly: bodies are cut, and then quiet exchanges left out. */
export const sizeLimit = 3_000_000;

const caps = [65_536, 16_384, 4096, 1024, 256, 0];

const withMaybe = <Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [N in Name]?: string } =>
  (text === undefined ? {} : { [name]: printable(text) }) as { readonly [N in Name]?: string };

type SourceMessage = ReportExchange['request'];

function message(source: SourceMessage, cap: number): PageMessage {
  const body = printable(source.body);
  return {
    head: printable(source.head).slice(0, 8192),
    body: body.slice(0, cap),
    cut: Math.max(0, body.length - cap),
    truncated: source.truncated,
  };
}

const isEventStream = (source: ReportExchange): boolean =>
  /^content-type:\s*text\/event-stream/im.test(source.response?.head ?? '');

function pageExchange(source: ReportExchange, bad: boolean, cap: number): PageExchange {
  return {
    id: printable(source.id),
    from: printable(source.caller),
    to: printable(source.callee),
    kind: source.kind,
    at: source.atMs,
    ms: source.durationMs,
    took: duration(source.durationMs),
    label: printable(source.label),
    ...(source.status === undefined ? {} : { status: source.status }),
    end: printable(source.end),
    ...(isEventStream(source) ? { events: countEvents(source.response?.body ?? '') } : {}),
    bad,
    request: message(source.request, cap),
    ...(source.response === undefined ? {} : { response: message(source.response, cap) }),
  };
}

/**
 * The exchanges within the limit. First the bodies of exchanges without findings are cut, ever shorter, then those of
 * the others, and at last whole exchanges without findings are left out, newest first.
 */
function fit(
  report: RunReport,
  bad: ReadonlySet<string>,
  pointed: ReadonlySet<string>,
  limit: number,
): readonly (PageExchange & { readonly source: ReportExchange })[] {
  const at = (source: ReportExchange, cap: number) => pageExchange(source, bad.has(source.id), cap);
  const size = (exchange: PageExchange): number => JSON.stringify(exchange).length;
  const plans = [
    ...caps.map((cap) => [cap, caps[0] ?? 0] as const),
    ...caps.slice(1).map((cap) => [0, cap] as const),
  ];
  let chosen: readonly PageExchange[] = [];
  for (const [quiet, loud] of plans) {
    chosen = report.exchanges.map((source) => at(source, pointed.has(source.id) ? loud : quiet));
    let total = 0;
    for (const exchange of chosen) total += size(exchange);
    if (total <= limit) return chosen.map((exchange, index) => joined(exchange, report.exchanges[index]));
  }
  const kept: (PageExchange & { readonly source: ReportExchange })[] = [];
  let total = 0;
  for (const wanted of [true, false]) {
    chosen.forEach((exchange, index) => {
      const source = report.exchanges[index];
      if (!source || pointed.has(source.id) !== wanted) return;
      total += size(exchange);
      if (total <= limit) kept.push(joined(exchange, source));
    });
  }
  return kept.sort((a, b) => a.source.seq - b.source.seq);
}

function joined(
  exchange: PageExchange,
  source: ReportExchange | undefined,
): PageExchange & { readonly source: ReportExchange } {
  if (!source) throw new Error(`no source for exchange ${exchange.id}`);
  return { ...exchange, source };
}

function markOf(finding: Finding, exchange: PageExchange | undefined): PageFinding['mark'] {
  const { at } = finding;
  const side = at && exchange?.[at.side];
  if (!at || !side) return undefined;
  if (at.header !== undefined) {
    const range = locateInHead(side.head, printable(at.header));
    return range && { side: at.side, part: 'head', ...range };
  }
  const range = locateInBody(side.body, at);
  return range && { side: at.side, part: 'body', ...range };
}

function pageFinding(
  finding: Finding,
  exchange: number | undefined,
  page: PageExchange | undefined,
  why: string | undefined,
): PageFinding {
  const mark = markOf(finding, page);
  return {
    rule: printable(finding.rule),
    level: printable(finding.level),
    outcome: finding.outcome,
    who: printable(`${finding.agent} (${finding.party})`),
    message: printable(finding.message),
    ...withMaybe('expected', finding.expected),
    ...withMaybe('actual', finding.actual),
    ...withMaybe('fix', finding.fix),
    ...withMaybe('why', why),
    spec: printable(`A2A ${finding.spec.version} section ${finding.spec.section}`),
    where: printable(place(finding.at)),
    ...withMaybe('because', finding.expectedBecause),
    ...(exchange === undefined ? {} : { exchange }),
    ...(mark === undefined ? {} : { mark }),
  };
}

/** The data of a page, whose exchanges as JSON stay within `limit` characters. */
export function pageData(report: RunReport, limit: number = sizeLimit): PageData {
  const { findings } = report.verdict;
  const whys = new Map(report.rules.map((rule) => [rule.id, rule.why]));
  const pointed = new Set<string>(findings.map((finding) => finding.exchange));
  const broken = new Set<string>(
    findings.filter((finding) => finding.outcome === 'fail').map((finding) => finding.exchange),
  );
  const bad = new Set<string>(
    report.exchanges
      .filter((exchange) => broken.has(exchange.id) || exchange.end !== 'complete')
      .map((exchange) => exchange.id),
  );
  const fitted = fit(report, bad, pointed, limit);
  const indexes = new Map<string, number>(fitted.map((exchange, index) => [exchange.source.id, index]));
  const byCell = Map.groupBy(
    fitted.map((exchange, index) => ({ cell: exchange.source.cell, index })),
    ({ cell }) => cell,
  );
  const findingsOf = Map.groupBy(
    findings.map(({ cell }, index) => ({ cell, index })),
    ({ cell }) => cell,
  );
  return {
    cells: report.cells.map((cell): PageCell => {
      const standing = standingOf(cell);
      const listed = cell.exchanges.flatMap((id) => indexes.get(id) ?? []);
      const tagged = (byCell.get(cell.id) ?? []).map(({ index }) => index);
      return {
        id: printable(cell.id),
        client: printable(cell.client),
        server: printable(cell.server),
        wire: wireOf(cell),
        scenario: printable(cell.scenario),
        standing,
        letter: standingLetters[standing],
        word: standingNames[standing],
        took: duration(cell.durationMs),
        ...withMaybe('reason', cell.reason),
        ...withMaybe('because', cell.expectedBecause),
        remarks: [
          ...blameOf([cell]).map(({ who, why }) => printable(`${who}: ${why}`)),
          ...remarksOf(cell).map((remark) => printable(remark)),
        ],
        checks: cell.checks.map((check) => ({
          name: printable(check.name),
          ok: check.ok,
          ...(check.level === undefined ? {} : { level: check.level }),
          ...withMaybe('detail', check.detail),
        })),
        exchanges: [...new Set([...listed, ...tagged])],
        findings: (findingsOf.get(cell.id) ?? []).map(({ index }) => index),
        shellWord: printable(shellWord(cell.id)),
      };
    }),
    exchanges: fitted.map(({ source: _source, ...exchange }) => exchange),
    findings: findings.map((finding) => {
      const index = indexes.get(finding.exchange);
      return pageFinding(
        finding,
        index,
        index === undefined ? undefined : fitted[index],
        whys.get(finding.rule),
      );
    }),
    leftOut: report.exchanges.length - fitted.length,
    again: printable(againPrefix(report.run)),
  };
}
