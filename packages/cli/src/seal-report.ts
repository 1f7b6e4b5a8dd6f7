import type { SealCheck } from '@plugfest/capture';
import { InvalidArgumentError } from 'commander';
import type { Io } from './io.ts';

/** Says what was altered; true where nothing was. */
export function reportSeal(io: Io, capture: string, found: SealCheck): boolean {
  const { root, alterations, omitted } = found;
  if (root === undefined && alterations.length === 0) {
    io.log(`plugfest: ${capture} is not sealed`);
    return false;
  }
  if (alterations.length === 0) return true;
  io.log(`plugfest: ${capture} is not what was sealed`);
  for (const alteration of alterations) io.log(`  ${alteration}`);
  if (omitted > 0) io.log(`  and ${omitted} more`);
  return false;
}

/** Reads the root of a seal from the command line. */
export function sealRoot(text: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(text))
    throw new InvalidArgumentError(
      'It is "sha256:" and 64 hexadecimal digits, as `plugfest seal` prints it.',
    );
  return text;
}
