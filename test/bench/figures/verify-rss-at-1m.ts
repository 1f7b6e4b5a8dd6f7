import { defineFigure, rounded } from '../figure.ts';
import { verifyRun } from '../verification/verify-run.ts';

export default defineFigure({
  name: 'verify.rss-mib-at-1m',
  unit: 'MiB',
  target: 512,
  better: 'lower',
  async measure() {
    const { rssMib, wallMs, rules } = await verifyRun(1_000_000);
    return { value: Math.round(rssMib), detail: { rules, seconds: rounded(wallMs / 1000, 1) } };
  },
});
