import type { Verdict } from '@plugfest/model';
import { verdictOrder } from '../order-of-verdict.ts';
import { orderedJson } from '../ordered.ts';
import type { Reporter } from '../reporter.ts';

/** Where nothing was expected, the JSON says nothing of expectations: capture and rulebook know of none. */
function verdictJson({ staleExpectations, ...verdict }: Verdict): string {
  const { expected, ...summary } = verdict.summary;
  const plain = expected === 0 && staleExpectations.length === 0;
  return orderedJson<Partial<Verdict>>(
    plain ? { ...verdict, summary: summary as Verdict['summary'] } : { ...verdict, staleExpectations },
    verdictOrder,
  );
}

/** The verdict as it was before anybody said what to expect. */
function withoutExpectations(verdict: Verdict): Verdict {
  return {
    ...verdict,
    summary: { ...verdict.summary, expected: 0 },
    findings: verdict.findings.map(({ expectedBecause: _, ...finding }) => finding),
    ...(verdict.omitted && {
      omitted: verdict.omitted.map(({ expectedBecause: _, ...group }) => group),
    }),
    staleExpectations: [],
  };
}

const json: Reporter = {
  format: 'json',
  about: 'The verdict as JSON (plugfest.verdict/1), the same bytes for the same capture and rulebook.',
  file: 'verdict.json',
  // What a lab expects is in the other reports.
  render: (report) => verdictJson(withoutExpectations(report.verdict)),
  renderVerdict: ({ verdict }) => verdictJson(verdict),
};

export default json;
