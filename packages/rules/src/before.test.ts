import type { DecodedExchange } from '@plugfest/a2a';
import type { Sighting } from '@plugfest/verifier';
import { expect, it } from 'vitest';
import { seenBefore } from './before.ts';

const seen = (exchange: string, atNs: number) =>
  ({ exchange: { id: exchange }, atNs }) as unknown as Sighting;
const asked = { id: 'x2', request: { atNs: 10 } } as unknown as DecodedExchange['captured'];

it('what came in another exchange until a request went out was seen before it', () => {
  expect(seenBefore(seen('x1', 9), asked)).toBe(true);
  expect(seenBefore(seen('x1', 10), asked)).toBe(true);
  expect(seenBefore(seen('x1', 11), asked)).toBe(false);
  expect(seenBefore(seen('x2', 9), asked)).toBe(false);
});
