import type { Change } from '@plugfest/model';

/** A message with another body than the one that came. */
export interface RewrittenBody {
  readonly headers: string[];
  readonly body: Buffer;
  readonly changes: readonly Change[];
  /** False where it got a length, and so has no trailers. */
  readonly keepsTrailers: boolean;
}
