import { z } from 'zod';
import { defineFault } from '../fault.ts';

export default defineFault({
  name: 'webhook-drop',
  about: 'A push delivery does not reach the receiver; its sender is told that it did.',
  edges: 'webhook',
  parameters: {
    status: z.int().min(200).max(599).optional().describe('What the sender is answered. Default 200.'),
  },
  holdsRequest: () => true,
  request: ({ status = 200 }, act) => {
    act.applied({ place: 'body', after: `dropped, and answered ${status}` });
    act.answer(status);
  },
});
