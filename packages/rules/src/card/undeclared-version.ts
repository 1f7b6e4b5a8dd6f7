import type { CardView } from '@plugfest/a2a';

/**
 * A card that names no protocol version is of 0.2 before 0.2.5, or of 0.1, which asked for less. What only 0.2 asks
 * for is a warning then.
 */
export function mayBeOldest({ version, value }: CardView): boolean {
  return version === '0.2' && typeof value.protocolVersion !== 'string';
}
