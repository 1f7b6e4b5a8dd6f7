import type { Verdict } from '@plugfest/model';
import { verdictOrder } from '../order-of-verdict.ts';
import { orderedJson } from '../ordered.ts';
import type { Reporter } from '../reporter.ts';

const verdictJson = (verdict: Verdict): string => orderedJson(verdict, verdictOrder);

const json: Reporter = {
  format: 'json',
  about: 'The verdict as JSON (plugfest.verdict/1), the same bytes for the same capture and rulebook.',
  file: 'verdict.json',
  render: (report) => verdictJson(report.verdict),
  renderVerdict: ({ verdict }) => verdictJson(verdict),
};

export default json;
