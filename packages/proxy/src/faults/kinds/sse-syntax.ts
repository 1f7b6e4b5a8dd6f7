import { defineFault } from '../fault.ts';
import { isEventStream, shownBytes } from '../head-edits.ts';
import { onChosenMessages, placeOf, shownMessage } from '../messages.ts';
import { messageChoice } from '../selectors.ts';

const field = /(^|\n|\r)data: ?\{/;

/**
 * The same event with a comment, `id`, `event`, `retry`, and its data on two lines, joined by a line break that JSON takes
 * for white space (WHATWG HTML section 9.2.6).
 */
function dressed(bytes: Buffer, number: number): Buffer {
  const text = bytes.toString('utf8');
  const split = text.replace(field, (_, before: string) => `${before}data: {\ndata: `);
  const named = /(^|\n|\r)event:/.test(text) ? '' : 'event: message\n';
  return Buffer.from(`: a comment\nid: plugfest-${number}\n${named}retry: 3000\n${split}`);
}

export default defineFault({
  name: 'sse-syntax',
  about:
    'Events of an SSE stream say the same with all that the syntax has: comments, `id`, `event`, `retry`, and data on two lines.',
  parameters: { ...messageChoice },
  response: (choice, act) => {
    if (!isEventStream(act)) {
      act.bypassed('the response is no event stream');
      return undefined;
    }
    return onChosenMessages(act, choice, {
      message: (message, next) => {
        const after = dressed(message.bytes, message.number);
        const before = shownMessage(act, message);
        act.applied({ place: 'body', where: placeOf(message), before, after: shownBytes(after) });
        next.data(after);
      },
    });
  },
});
