import { defineFault } from '../fault.ts';
import { onChosenMessages, placeOf, shownMessage } from '../messages.ts';
import { messageChoice } from '../selectors.ts';

export default defineFault({
  name: 'drop-message',
  about: 'Messages of an SSE or gRPC stream, or of a WebSocket connection, do not come.',
  upgraded: 'uncompressed',
  parameters: { ...messageChoice },
  response: (choice, act) =>
    onChosenMessages(act, choice, {
      message: (message) =>
        act.applied({ place: 'body', where: placeOf(message), before: shownMessage(act, message) }),
    }),
});
