import { summarise } from '@plugfest/a2a';
import type {
  CaptureSource,
  Edge,
  ExchangeSummary,
  Gap,
  HopLink,
  ReportExchange,
  ReportRule,
  RunId,
  Verdict,
} from '@plugfest/model';
import { linkHops } from '@plugfest/telemetry';
import type { Rulebook } from '@plugfest/verifier';
import { verify } from '@plugfest/verifier';
import type { RecordedCell } from './recorded-cells.ts';
import { recordedCells } from './recorded-cells.ts';
import { reportExchange } from './report-exchanges.ts';

/** What one pass over a capture gives: the verdict, and what traces and reports are projected from. */
export interface Analysis {
  readonly verdict: Verdict;
  readonly summaries: readonly ExchangeSummary[];
  readonly links: readonly HopLink[];
  readonly exchanges: readonly ReportExchange[];
  /** Empty for a capture that no lab made. */
  readonly cells: readonly RecordedCell[];
  readonly capture: {
    readonly run: RunId;
    readonly startedAt: string;
    readonly edges: readonly Edge[];
    readonly gaps: readonly Gap[];
  };
}

/** Reads a capture once; each exchange is decoded once. */
export function analyse(source: CaptureSource, book: Rulebook): Analysis {
  const summaries: ExchangeSummary[] = [];
  const exchanges: ReportExchange[] = [];
  const verdict = verify(source, book, {
    onExchange: (exchange) => {
      summaries.push(summarise(exchange));
      exchanges.push(reportExchange(exchange));
    },
  });
  const { run, startedAt } = source.info;
  const cells = recordedCells(source);
  const links = linkHops({ run, summaries, participants: source.participants(), cells });
  const capture = { run, startedAt, edges: source.edges(), gaps: source.gaps() };
  return { verdict, summaries, links, exchanges, cells, capture };
}

/** Rules as reports show them, each with the sections that it cites. */
export function reportRules(book: Rulebook): readonly ReportRule[] {
  return book.rules.map(({ id, level, party, summary, spec, why, fix }) => ({
    id,
    level,
    party,
    summary,
    section: Object.entries(spec)
      .map(([version, section]) => `${version}: ${section}`)
      .join('; '),
    why,
    fix,
  }));
}
