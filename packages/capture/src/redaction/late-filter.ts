import type { BodyChunk, BodyFilter, StoredPiece, Withheld } from '../writer/body-filter.ts';

/**
 * What comes of a body when its exchange has ended, such as a request that is longer than its answer took. The secret or
 * its name may have come before, under a coding that is not known any more: none of it is stored.
 */
export class LateFilter implements BodyFilter {
  readonly redactions = 0;
  withheld: Withheld | undefined;

  push({ seq, atNs, bytes }: BodyChunk): readonly StoredPiece[] {
    const size = bytes.byteLength;
    const why =
      'it came after the end of its exchange, where it cannot be searched for secrets; it was not stored';
    this.withheld = { seq, atNs, why, ...this.withheld, bytes: (this.withheld?.bytes ?? 0) + size };
    return [{ seq, atNs, size, lost: size, bytes: null }];
  }

  detach(): void {}

  end(): readonly StoredPiece[] {
    return [];
  }
}
