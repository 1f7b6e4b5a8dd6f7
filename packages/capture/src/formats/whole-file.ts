import { PlugfestError } from '@plugfest/model';
import type { ImportOptions } from './format.ts';

/** A file that has to be read as one: its records are not in the order of their times. */
const mostBytes = 512 * 1024 * 1024;

/** @throws PlugfestError PLUGFEST_IMPORT_FORMAT where the file is larger than can be read at once */
export async function wholeFile(bytes: AsyncIterable<Uint8Array>, { file }: ImportOptions): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > mostBytes)
      throw new PlugfestError('PLUGFEST_IMPORT_FORMAT', `${file} is larger than ${mostBytes} bytes`, {
        hint: 'Split the file, or record the traffic with `plugfest proxy`.',
      });
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
