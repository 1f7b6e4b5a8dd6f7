import { defineFault } from '../fault.ts';
import { onChosenMessages, placeOf } from '../messages.ts';
import { Paced } from '../paced.ts';
import { messageChoice, milliseconds } from '../selectors.ts';

export default defineFault({
  name: 'delay-message',
  about:
    'Messages of an SSE or gRPC stream, or of a WebSocket connection, come later, and what follows waits behind them.',
  upgraded: 'any',
  parameters: {
    ...messageChoice,
    delayMs: milliseconds.describe('Time that is added to each, in milliseconds.'),
  },
  response: ({ delayMs, ...choice }, act) => {
    let dueMs = 0;
    const stage = onChosenMessages(act, choice, {
      message: (message, next) => {
        act.applied({ place: 'time', where: placeOf(message), after: `+${delayMs} ms` });
        dueMs = performance.now() + delayMs;
        next.data(message.bytes);
      },
    });
    if (stage === undefined) return undefined;
    return (next) => {
      const queue = new Paced(act);
      return stage({
        head: () => next.head(),
        data: (bytes) => queue.put(dueMs, bytes.length, () => next.data(bytes)),
        end: (trailers) => queue.put(0, 0, () => next.end(trailers)),
        cut: (reset, code) => queue.put(0, 0, () => next.cut(reset, code)),
      });
    };
  },
});
