import { defineFigure, rounded } from '../figure.ts';
import { perSecond } from '../verification/verify-run.ts';

const sizes = [10_000, 100_000, 1_000_000] as const;

/** Cost of an exchange in a large capture against that in a small one, in one thread. */
export default defineFigure({
  name: 'verify.linearity',
  unit: 'ratio',
  target: 1.3,
  better: 'lower',
  async measure() {
    const rates: Record<string, number> = {};
    for (const size of sizes) rates[size] = Math.round(await perSecond(size, 1));
    const [small = Number.NaN, , large = Number.NaN] = sizes.map((size) => rates[size]);
    return { value: rounded(small / large), detail: { exchangesPerSecond: rates } };
  },
});
