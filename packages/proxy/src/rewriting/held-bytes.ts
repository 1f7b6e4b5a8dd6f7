/**
 * What all exchanges of an interposer hold back together, because it may have to be rewritten. Peers decide how much
 * they send, so it is bounded; what does not fit goes on as it is, with a note.
 */
export class HeldBytes {
  private held = 0;
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** False where there is no room; then nothing was taken. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.most) return false;
    this.held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.held -= bytes;
  }
}
