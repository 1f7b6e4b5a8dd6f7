import { z } from 'zod';
import { defineFault } from '../fault.ts';
import { Paced } from '../paced.ts';
import { milliseconds, way } from '../selectors.ts';

export default defineFault({
  name: 'rechunk',
  about:
    'The body comes in other pieces: the same bytes, cut wherever it hits, also within characters and line ends.',
  upgraded: 'any',
  parameters: {
    on: way,
    sizeBytes: z.int().min(1).max(65_536).describe('Longest piece, in bytes.'),
    vary: z.boolean().optional().describe('Lengths are drawn, from 1 to `sizeBytes`. Default `false`.'),
    gapMs: milliseconds
      .optional()
      .describe('Time between two pieces, in milliseconds. Default 0: a turn of the event loop.'),
  },
  response: ({ sizeBytes, vary = false, gapMs = 0 }, act) => {
    if (!act.hasBody) {
      act.bypassed('the response has no body');
      return undefined;
    }
    act.applied({ place: 'time', after: `pieces of ${vary ? 'up to ' : ''}${sizeBytes} bytes` });
    return (next) => {
      // What leaves in one turn arrives as one piece.
      const queue = new Paced(act, true);
      const put = (bytes: number, release: () => void): void =>
        queue.put(queue.freeMs + gapMs, bytes, release);
      return {
        head: () => next.head(),
        data: (bytes) => {
          for (let at = 0; at < bytes.length; ) {
            const length = vary ? 1 + Math.floor(act.random.next() * sizeBytes) : sizeBytes;
            const piece = bytes.subarray(at, at + length);
            at += length;
            put(piece.length, () => next.data(piece));
          }
        },
        end: (trailers) => put(0, () => next.end(trailers)),
        cut: (reset, code) => put(0, () => next.cut(reset, code)),
      };
    };
  },
});
