import type { RunReport } from '@plugfest/model';
import { anythingJudged, isClean } from '@plugfest/report';

type Judged = Pick<RunReport, 'cells' | 'verdict' | 'bypass' | 'staleCellExpectations'>;

export interface Circumstances {
  /** Whether Plugfest itself failed somewhere, other than by a rule that threw. */
  readonly ownFault: boolean;
  readonly interrupted: boolean;
}

/**
 * What a run ends with. Faults of Plugfest come first, since the run then proves less than it says; a run that was
 * cut short, or that judged nothing, is no clean one.
 */
export function exitCodeOf(report: Judged, { ownFault, interrupted }: Circumstances): RunReport['exitCode'] {
  if (ownFault || report.verdict.summary.error > 0) return 3;
  return isClean(report) && anythingJudged(report.verdict) && !interrupted ? 0 : 1;
}
