import { defineFault, type Flow } from '../fault.ts';
import { type Message, onChosenMessages, placeOf, shownMessage } from '../messages.ts';
import { messageChoice } from '../selectors.ts';

export default defineFault({
  name: 'reorder-messages',
  about:
    'Messages of an SSE or gRPC stream, or of a WebSocket connection, come after the one that follows them.',
  upgraded: 'uncompressed',
  parameters: { ...messageChoice },
  response: (choice, act) => {
    let held: Message | undefined;
    const overtake = ({ bytes }: Message, next: Flow): void => {
      const late = held;
      held = undefined;
      next.data(bytes);
      if (late === undefined) return;
      const before = shownMessage(act, late);
      act.applied({ place: 'body', where: placeOf(late), before, after: 'after the next one' });
      next.data(late.bytes);
    };
    return onChosenMessages(act, choice, {
      message: (message, next) => {
        // Where all are chosen, they change places in pairs.
        if (held === undefined) held = message;
        else overtake(message, next);
      },
      other: overtake,
      finish: (_count, next) => {
        if (held === undefined) return;
        act.bypassed('no message follows the one that was to be overtaken');
        next.data(held.bytes);
        held = undefined;
      },
    });
  },
});
