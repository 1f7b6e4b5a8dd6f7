import { isUtf8 } from 'node:buffer';

/** Text of the kind that protocols carry: what is compressed or masked has other bytes among its first. */
export function looksLikeText(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 256);
  if (start.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)) return false;
  // The cut may fall within a character.
  return [0, 1, 2, 3].some((cut) => isUtf8(start.subarray(0, Math.max(0, start.byteLength - cut))));
}
