import { z } from 'zod';
import { defineFault, type Flow, type ResponseAct, type Stage } from '../fault.ts';
import { withoutLength } from '../head-edits.ts';
import { onMessages } from '../messages.ts';
import { way } from '../selectors.ts';

/** Ends the exchange where it stands; gives what tells whether it has. */
function cutter(
  act: ResponseAct,
  how: 'close' | 'reset',
): { done: boolean; cut(after: string, next: Flow): void } {
  const state = {
    done: false,
    cut: (after: string, next: Flow): void => {
      state.done = true;
      act.applied({ place: 'body', after: `cut after ${after}` });
      act.endExchange(`cut after ${after}`, how === 'reset');
      next.cut(how === 'reset');
    },
  };
  return state;
}

function afterBytesOf(act: ResponseAct, limit: number, how: 'close' | 'reset'): Stage {
  return (next) => {
    const cutting = cutter(act, how);
    let left = limit;
    return {
      head: () => {
        next.head();
        if (left === 0) cutting.cut('0 bytes', next);
      },
      data: (bytes) => {
        if (cutting.done) return;
        const some = bytes.subarray(0, left);
        left -= some.length;
        if (some.length > 0) next.data(some);
        if (left === 0) cutting.cut(`${limit} bytes`, next);
      },
      end: (trailers) => {
        if (cutting.done) return;
        act.bypassed(`the body ended before ${limit} bytes`);
        next.end(trailers);
      },
      cut: (reset, code) => {
        if (!cutting.done) next.cut(reset, code);
      },
    };
  };
}

function afterEventsOf(act: ResponseAct, limit: number, how: 'close' | 'reset'): Stage | undefined {
  const cutting = cutter(act, how);
  const stage = onMessages(act, {
    message: ({ number, bytes }, next) => {
      if (cutting.done) return;
      next.data(bytes);
      if (number === limit) cutting.cut(`${limit} messages`, next);
    },
    finish: (count) => {
      if (!cutting.done) act.bypassed(`the stream had ${count} messages`);
    },
  });
  if (stage === undefined) return undefined;
  return (next) => {
    // What follows the cut, comments too, goes nowhere.
    const inner = stage({
      head: () => next.head(),
      data: (bytes) => {
        if (!cutting.done) next.data(bytes);
      },
      end: (trailers) => {
        if (!cutting.done) next.end(trailers);
      },
      cut: (reset, code) => next.cut(reset, code),
    });
    return {
      ...inner,
      cut: (reset, code) => {
        if (!cutting.done) inner.cut(reset, code);
      },
    };
  };
}

export default defineFault({
  name: 'cut',
  about: 'The response ends in the middle, after so many bytes of its body or so many messages of a stream.',
  upgraded: 'any',
  parameters: {
    on: way,
    afterBytes: z.int().min(0).optional().describe('Bytes of the body that still come.'),
    afterEvents: z
      .int()
      .min(1)
      .optional()
      .describe('SSE events, or messages of gRPC or WebSocket, that still come.'),
    how: z
      .enum(['close', 'reset'])
      .optional()
      .describe(
        '`reset`: by an RST. `close`: by a close where the client can tell by it, else by an RST. Default `close`.',
      ),
  },
  problem: ({ afterBytes, afterEvents }) =>
    (afterBytes === undefined) === (afterEvents === undefined)
      ? 'a cut has one of `afterBytes` and `afterEvents`'
      : undefined,
  response: ({ afterBytes, afterEvents, how = 'close' }, act) => {
    if (!act.hasBody) {
      act.bypassed('the response has no body');
      return undefined;
    }
    const stage =
      afterEvents === undefined
        ? afterBytesOf(act, afterBytes ?? 0, how)
        : afterEventsOf(act, afterEvents, how);
    // An RST would take with it what came before; the missing end of a chunked body tells as well.
    if (stage !== undefined && how === 'close') withoutLength(act);
    return stage;
  },
});
