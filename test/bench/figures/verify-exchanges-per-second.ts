import { defineFigure, rounded } from '../figure.ts';
import { perSecond, verifyRun } from '../verification/verify-run.ts';

const exchanges = 200_000;

export default defineFigure({
  name: 'verify.exchanges-per-second',
  unit: 'per-second',
  target: 20_000,
  better: 'higher',
  async measure() {
    const value = await perSecond(exchanges);
    const { rules, cpuMs, rssMib } = await verifyRun(exchanges);
    return {
      value: Math.round(value),
      detail: {
        exchanges,
        rules,
        rssMib: rounded(rssMib, 0),
        cpuUsPerExchange: rounded((cpuMs * 1000) / exchanges, 1),
        inOneThread: Math.round(await perSecond(exchanges, 1)),
      },
    };
  },
});
