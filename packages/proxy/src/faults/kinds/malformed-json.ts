import { defineFault, type Flow } from '../fault.ts';
import { readMessage, textMessageLike } from '../frames.ts';
import { codingOf, isEventStream, isGrpc, isWebSocket, shownBytes, withoutLength } from '../head-edits.ts';
import { onChosenMessages, placeOf, shownMessage } from '../messages.ts';
import { messageChoice } from '../selectors.ts';

/** What no parser of JSON takes at the start of a value. */
const stray = Buffer.from('}{');

/** After the first `data:` of an event. */
function brokenEvent(bytes: Buffer): Buffer {
  const at = bytes.indexOf('data:') + 'data:'.length;
  return Buffer.concat([bytes.subarray(0, at), stray, bytes.subarray(at)]);
}

export default defineFault({
  name: 'malformed-json',
  about:
    'What was JSON is none any more: two stray braces stand before it, in the body, in events of a stream, or in texts on a WebSocket connection.',
  upgraded: 'uncompressed',
  parameters: { ...messageChoice },
  response: (choice, act) => {
    if (isEventStream(act)) {
      return onChosenMessages(act, choice, {
        message: (message, next) => {
          const broken = brokenEvent(message.bytes);
          const before = shownMessage(act, message);
          act.applied({ place: 'body', where: placeOf(message), before, after: shownBytes(broken) });
          next.data(broken);
        },
      });
    }
    if (isWebSocket(act)) {
      return onChosenMessages(act, choice, {
        message: (message, next) => {
          const { isText, payload } = readMessage(message.bytes);
          if (!isText) {
            act.bypassed(`message ${message.number} is no text`);
            next.data(message.bytes);
            return;
          }
          const broken = Buffer.concat([stray, payload]);
          const before = shownMessage(act, message);
          act.applied({ place: 'body', where: placeOf(message), before, after: shownBytes(broken) });
          next.data(textMessageLike(message.bytes, broken));
        },
      });
    }
    const coding = codingOf(act);
    if (act.upgraded || isGrpc(act) || !act.hasBody || coding !== undefined) {
      act.bypassed(coding === undefined ? 'the response holds no JSON' : `the body is encoded (${coding})`);
      return undefined;
    }
    withoutLength(act);
    return (next): Flow => {
      let first = true;
      return {
        ...next,
        head: () => next.head(),
        data: (bytes) => {
          if (first) {
            first = false;
            act.applied({ place: 'body', where: 'start', after: stray.toString() });
            next.data(stray);
          }
          next.data(bytes);
        },
        end: (trailers) => {
          if (first) act.bypassed('the body is empty');
          next.end(trailers);
        },
      };
    };
  },
});
