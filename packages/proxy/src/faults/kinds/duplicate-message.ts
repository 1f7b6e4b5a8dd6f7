import { z } from 'zod';
import { defineFault } from '../fault.ts';
import { onChosenMessages, placeOf, shownMessage } from '../messages.ts';
import { messageChoice } from '../selectors.ts';

export default defineFault({
  name: 'duplicate-message',
  about:
    'Messages of an SSE or gRPC stream, or of a WebSocket connection, come more than once, one right after the other.',
  upgraded: 'uncompressed',
  parameters: {
    ...messageChoice,
    copies: z.int().min(1).max(10).optional().describe('How often they come in addition. Default 1.'),
  },
  response: ({ copies = 1, ...choice }, act) =>
    onChosenMessages(act, choice, {
      message: (message, next) => {
        act.applied({
          place: 'body',
          where: placeOf(message),
          after: `${copies + 1} × ${shownMessage(act, message)}`,
        });
        for (let copy = 0; copy <= copies; copy += 1) next.data(message.bytes);
      },
    }),
});
