import type { Change } from '@plugfest/model';
import type { HeldBytes } from './rewriting/held-bytes.ts';

/** A response that is held back, because there may be something in it that has to be rewritten. */
export class HeldAnswer {
  readonly status: number;
  readonly reason: string;
  /** As they would go to the client without a rewrite. */
  readonly headers: string[];
  readonly changes: readonly Change[];
  readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly maxBytes: number;
  private readonly heldBytes: HeldBytes;

  constructor(
    status: number,
    reason: string,
    headers: string[],
    changes: readonly Change[],
    maxBytes: number,
    heldBytes: HeldBytes,
  ) {
    this.status = status;
    this.reason = reason;
    this.headers = headers;
    this.changes = changes;
    this.maxBytes = maxBytes;
    this.heldBytes = heldBytes;
  }

  /** False where the response has become larger than what is rewritten, or than there is room for. */
  push(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    if (this.bytes + chunk.length > this.maxBytes || !this.heldBytes.take(chunk.length)) return false;
    this.bytes += chunk.length;
    return true;
  }

  /** It is held no more. */
  give(): void {
    this.heldBytes.give(this.bytes);
    this.bytes = 0;
  }
}
