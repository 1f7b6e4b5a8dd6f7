import { summarise } from '@plugfest/a2a';
import type {
  CapturedExchange,
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
import { factsOf, Verification, verdictOf } from '@plugfest/verifier';
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

type Facts = ReturnType<typeof factsOf>;

/** What is made of exchanges one after the other, as they are read. */
export class Pass {
  readonly summaries: ExchangeSummary[] = [];
  readonly exchanges: ReportExchange[] = [];
  readonly verification: Verification;
  readonly #facts: Facts;
  #lastSeq = -1;

  constructor(book: Rulebook, facts: Facts) {
    this.#facts = facts;
    this.verification = new Verification(book, {
      ...facts,
      onExchange: (exchange) => {
        this.summaries.push(summarise(exchange));
        this.exchanges.push(reportExchange(exchange));
      },
    });
  }

  /** Sequence number of the last exchange. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  add(captured: CapturedExchange): void {
    this.verification.add(captured);
    this.#lastSeq = captured.seq;
  }

  /** What it was told of the capture is so to the end. Losses may show later than they happened. */
  holdsFor({ harness, gateways, gaps }: Facts): boolean {
    const same = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
      a.size === b.size && [...a].every((name) => b.has(name));
    return (
      same(harness, this.#facts.harness) &&
      same(gateways, this.#facts.gateways) &&
      gaps.length === 0 &&
      this.#facts.gaps.length === 0
    );
  }
}

/** Reads a capture once; each exchange is decoded once. `begun`: a pass over its first exchanges, to go on from. */
export function analyse(source: CaptureSource, book: Rulebook, begun?: Pass): Analysis {
  const facts = factsOf(source);
  const pass = begun?.holdsFor(facts) === true ? begun : new Pass(book, facts);
  const known = { lastSeq: pass.lastSeq, exchanges: pass.verification.exchanges };
  let skipped = 0;
  for (const captured of source.exchanges())
    if (captured.seq > known.lastSeq) pass.add(captured);
    else skipped += 1;
  // The beginning is not what it was: nothing is to be built on it.
  if (skipped !== known.exchanges) return analyse(source, book);
  const verdict = verdictOf(
    { root: source.info.root, gaps: source.gaps() },
    book,
    pass.verification.finish(),
  );
  const { summaries, exchanges } = pass;
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
