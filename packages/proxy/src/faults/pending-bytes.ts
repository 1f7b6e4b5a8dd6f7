/** Bytes of a stream that wait for more. Each is copied a few times at most, in however small pieces they come. */
export class PendingBytes {
  /** Of which the last ones may be free. What was given out is never written again. */
  private room: Buffer = Buffer.alloc(0);
  private from = 0;
  private to = 0;

  get length(): number {
    return this.to - this.from;
  }

  /** Takes what came; it may be referred to until it is dropped. */
  add(chunk: Buffer): void {
    const { from, to, length } = this;
    if (length === 0) {
      this.room = chunk;
      this.from = 0;
      this.to = chunk.length;
      return;
    }
    // A chunk that was taken as it is has no room: what lies behind it belongs to others.
    if (to + chunk.length > this.room.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (length + chunk.length));
      this.room.copy(larger, 0, from, to);
      this.room = larger;
      this.from = 0;
      this.to = length;
    }
    this.to += chunk.copy(this.room, this.to);
  }

  /** All of it. */
  bytes(): Buffer {
    return this.room.subarray(this.from, this.to);
  }

  /** The first ones, which wait no more. */
  take(length: number): Buffer {
    const start = this.from;
    this.from += length;
    return this.room.subarray(start, this.from);
  }
}
