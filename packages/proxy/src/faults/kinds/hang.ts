import { z } from 'zod';
import { defineFault, type Flow } from '../fault.ts';
import { milliseconds } from '../selectors.ts';

export default defineFault({
  name: 'hang',
  about: 'Nothing more comes, and the connection stays open until the caller leaves or a time is over.',
  upgraded: 'any',
  parameters: {
    on: z
      .enum(['request', 'response'])
      .optional()
      .describe('`request`: the callee sees nothing of it. `response`: it has answered. Default `response`.'),
    afterBytes: z
      .int()
      .min(0)
      .optional()
      .describe('Bytes of the response body that still come. Default: not even the head.'),
    forMs: milliseconds.optional().describe('Then the connection is closed, in milliseconds. Default 60000.'),
  },
  problem: ({ on, afterBytes }) =>
    on === 'request' && afterBytes !== undefined ? '`afterBytes` is for `on: response`' : undefined,
  holdsRequest: ({ on }) => on === 'request',
  request: ({ on, forMs = 60_000 }, act) => {
    if (on !== 'request') return;
    act.applied({ place: 'body', after: 'silence in place of the request' });
    act.hang(forMs);
  },
  response: ({ afterBytes, forMs = 60_000 }, act) => {
    return (next): Flow => {
      let left = afterBytes ?? 0;
      let silent = false;
      /** How the response ended in the middle meanwhile. */
      let ended: { readonly reset: boolean; readonly code: number | undefined } | undefined;
      const hang = (after: string): void => {
        silent = true;
        act.applied({ place: 'body', after: `silence after ${after}` });
        act.hang(forMs, () => next.cut(ended?.reset ?? false, ended?.code));
      };
      return {
        head: () => {
          if (afterBytes === undefined) hang('the request');
          else {
            next.head();
            if (left === 0) hang('the head');
          }
        },
        data: (bytes) => {
          if (silent) return;
          const some = bytes.subarray(0, left);
          left -= some.length;
          if (some.length > 0) next.data(some);
          if (left === 0) hang(`${afterBytes} bytes`);
        },
        end: (trailers) => {
          if (silent) return;
          act.bypassed(`the body ended before ${afterBytes} bytes`);
          next.end(trailers);
        },
        cut: (reset, code) => {
          if (silent) ended ??= { reset, code };
          else next.cut(reset, code);
        },
      };
    };
  },
});
