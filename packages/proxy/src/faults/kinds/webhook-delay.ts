import { defineFault } from '../fault.ts';
import { milliseconds } from '../selectors.ts';

export default defineFault({
  name: 'webhook-delay',
  about: 'A push delivery reaches the receiver later.',
  edges: 'webhook',
  parameters: { delayMs: milliseconds.describe('Time that is added, in milliseconds.') },
  request: async ({ delayMs }, act) => {
    act.applied({ place: 'time', after: `+${delayMs} ms` });
    await act.wait(delayMs);
  },
});
