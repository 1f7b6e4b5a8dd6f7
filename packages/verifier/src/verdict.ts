import type {
  CaptureSource,
  FindingOutcome,
  Gap,
  ParticipantKind,
  RuleResult,
  Verdict,
} from '@plugfest/model';
import type { Rulebook } from './registry.ts';
import { type Results, Verification, type VerifyOptions } from './verification.ts';

/** What the verification of a capture has to be told of it. */
export function factsOf(
  source: Pick<CaptureSource, 'participants' | 'gaps'>,
): Required<Pick<VerifyOptions, 'harness' | 'gateways' | 'gaps'>> {
  const participants = source.participants();
  const named = (kind: ParticipantKind): ReadonlySet<string> =>
    new Set(participants.filter((participant) => participant.kind === kind).map(({ name }) => name));
  return { harness: named('harness'), gateways: named('gateway'), gaps: source.gaps() };
}

/** The verdict that results make. */
export function verdictOf(
  { root, gaps }: Pick<CaptureSource['info'], 'root'> & { readonly gaps: readonly Gap[] },
  book: Rulebook,
  { exchanges, findings, omitted, rules }: Results,
): Verdict {
  const count = (outcome: FindingOutcome): number =>
    findings.filter((finding) => finding.outcome === outcome).length +
    omitted.reduce((sum, group) => sum + (group.outcome === outcome ? group.count : 0), 0);
  const having = (status: RuleResult['status']): number =>
    rules.filter((rule) => rule.status === status).length;
  return {
    schema: 'plugfest.verdict/1',
    // Of a capture that is being written there may be more than when it was opened.
    capture: { root, exchanges, gaps: gaps.length },
    rulebook: {
      version: book.version,
      hash: book.hash,
      rules: book.rules.length,
      ...(book.selection === undefined ? {} : { selection: book.selection }),
    },
    summary: {
      fail: count('fail'),
      warn: count('warn'),
      info: count('info'),
      pass: having('pass'),
      notExercised: having('not-exercised'),
      undecidable: having('undecidable'),
      error: having('error'),
      expected: 0,
    },
    findings,
    ...(omitted.length === 0 ? {} : { omitted }),
    rules,
    staleExpectations: [],
  };
}

/** Judges a whole capture. A pure function of the capture and the rulebook. */
export function verify(source: CaptureSource, book: Rulebook, options: VerifyOptions = {}): Verdict {
  const verification = new Verification(book, { ...factsOf(source), ...options });
  for (const captured of source.exchanges()) verification.add(captured);
  return verdictOf({ root: source.info.root, gaps: source.gaps() }, book, verification.finish());
}
