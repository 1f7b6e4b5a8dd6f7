import type { Change } from '@plugfest/model';

/** A response that is held back, because there may be a card in it. */
export class HeldCard {
  readonly status: number;
  readonly reason: string;
  /** As they would go to the client without a rewrite. */
  readonly headers: string[];
  readonly changes: readonly Change[];
  readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly maxBytes: number;

  constructor(
    status: number,
    reason: string,
    headers: string[],
    changes: readonly Change[],
    maxBytes: number,
  ) {
    this.status = status;
    this.reason = reason;
    this.headers = headers;
    this.changes = changes;
    this.maxBytes = maxBytes;
  }

  /** False where the response has become larger than any card that is rewritten. */
  push(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    return this.bytes <= this.maxBytes;
  }
}
