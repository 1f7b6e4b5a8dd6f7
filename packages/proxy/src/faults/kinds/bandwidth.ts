import { z } from 'zod';
import { defineFault, type Flow } from '../fault.ts';
import { Paced } from '../paced.ts';
import { way } from '../selectors.ts';

/** How often a piece leaves, at most. */
const sliceMs = 20;

export default defineFault({
  name: 'bandwidth',
  about: 'The body of a response comes at so many bytes a second.',
  upgraded: 'any',
  parameters: {
    on: way,
    bytesPerSecond: z.int().min(1).max(1e9).describe('Bytes of the body a second.'),
  },
  response: ({ bytesPerSecond }, act) => {
    if (!act.hasBody) {
      act.bypassed('the response has no body');
      return undefined;
    }
    act.applied({ place: 'time', after: `${bytesPerSecond} bytes/s` });
    const sliceBytes = Math.max(1, Math.floor((bytesPerSecond * sliceMs) / 1000));
    return (next): Flow => {
      const queue = new Paced(act);
      const put = (bytes: number, release: () => void): void =>
        queue.put(queue.freeMs + (bytes / bytesPerSecond) * 1000, bytes, release);
      return {
        head: () => next.head(),
        data: (bytes) => {
          for (let at = 0; at < bytes.length; at += sliceBytes) {
            const slice = bytes.subarray(at, at + sliceBytes);
            put(slice.length, () => next.data(slice));
          }
        },
        end: (trailers) => put(0, () => next.end(trailers)),
        cut: (reset, code) => put(0, () => next.cut(reset, code)),
      };
    };
  },
});
