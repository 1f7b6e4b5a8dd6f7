import type { WebhookTap } from './webhook-rewriter.ts';

/** The open webhook taps in `rewrite` mode, by who delivers on them in which cell, and then by the receiver's origin. */
export class WebhookTaps {
  private readonly bySender = new Map<string, Map<string, WebhookTap>>();

  /** What stands for a sender in a cell. */
  static keyOf(sender: string, cell: string | undefined): string {
    return JSON.stringify([sender, cell ?? '']);
  }

  add(sender: string, canonicalOrigin: string, tap: WebhookTap): void {
    const taps = this.bySender.get(sender) ?? new Map<string, WebhookTap>();
    taps.set(canonicalOrigin, tap);
    this.bySender.set(sender, taps);
  }

  has(sender: string): boolean {
    return this.bySender.has(sender);
  }

  to(sender: string, canonicalOrigin: string): WebhookTap | undefined {
    return this.bySender.get(sender)?.get(canonicalOrigin);
  }

  /** Forgets the tap that listens at this origin. */
  remove(tapOrigin: string): void {
    for (const [sender, taps] of this.bySender) {
      for (const [key, { origin }] of taps) if (origin === tapOrigin) taps.delete(key);
      if (taps.size === 0) this.bySender.delete(sender);
    }
  }
}
