import { summarise } from '@plugfest/a2a';
import type {
  CaptureSource,
  Cell,
  ExchangeSummary,
  HopLink,
  ReportExchange,
  ReportRule,
  Verdict,
} from '@plugfest/model';
import { linkHops } from '@plugfest/telemetry';
import type { Rulebook } from '@plugfest/verifier';
import { verify } from '@plugfest/verifier';
import { reportExchange } from './report-exchanges.ts';

/** What one pass over a capture gives: the verdict, and what traces and reports are projected from. */
export interface Analysis {
  readonly verdict: Verdict;
  readonly summaries: readonly ExchangeSummary[];
  readonly links: readonly HopLink[];
  readonly exchanges: readonly ReportExchange[];
}

/** Reads a capture once; each exchange is decoded once. */
export function analyse(source: CaptureSource, book: Rulebook, cells: readonly Cell[] = []): Analysis {
  const summaries: ExchangeSummary[] = [];
  const exchanges: ReportExchange[] = [];
  const verdict = verify(source, book, {
    onExchange: (exchange) => {
      summaries.push(summarise(exchange));
      exchanges.push(reportExchange(exchange));
    },
  });
  const links = linkHops({ run: source.info.run, summaries, participants: source.participants(), cells });
  return { verdict, summaries, links, exchanges };
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
