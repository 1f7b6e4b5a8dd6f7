import { defineFault } from '../fault.ts';
import { milliseconds } from '../selectors.ts';

export default defineFault({
  name: 'webhook-duplicate',
  about: 'A push delivery reaches the receiver twice; its sender sent it once, and sees one answer.',
  edges: 'webhook',
  parameters: {
    gapMs: milliseconds.optional().describe('Time from the first to the second, in milliseconds. Default 0.'),
  },
  holdsRequest: () => true,
  request: ({ gapMs = 0 }, act) => {
    if (act.body === undefined) act.bypassed('the delivery is too large to be kept for a second time');
    else {
      act.applied({ place: 'body', after: 'sent twice' });
      act.sendAgain(gapMs);
    }
  },
});
