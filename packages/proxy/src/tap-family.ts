import { PlugfestError } from '@plugfest/model';
import type { TapListener } from './tap-listener.ts';

/** Most further origins of one callee that get a tap of their own. */
const maxSiblings = 16;

/** Taps from one caller to one callee in one cell, by the callee's canonical origins; their cards lead to one another. */
export class TapFamily {
  private readonly callee: string;
  private readonly taps = new Map<string, Promise<TapListener>>();
  private readonly open = new Map<string, string>();
  private closed = false;

  constructor(callee: string) {
    this.callee = callee;
  }

  /** Origins of the callee that are tapped. */
  get calleeOrigins(): Iterable<string> {
    return this.taps.keys();
  }

  /** No further tap may be opened. */
  get closing(): boolean {
    return this.closed;
  }

  /** Origin of the tap to one of the callee's; undefined while it is not open. */
  openAt(canonical: string): string | undefined {
    return this.open.get(canonical);
  }

  /**
   * The tap to one of the callee's origins; `listen` makes one where there is none.
   * @throws PlugfestError PLUGFEST_LISTEN where there are too many already
   */
  get(canonical: string, listen: () => Promise<TapListener>): Promise<TapListener> {
    const known = this.taps.get(canonical);
    if (known !== undefined) return known;
    if (this.taps.size > maxSiblings) {
      const most = `${maxSiblings} further origins of ${this.callee} are tapped already, which is the most`;
      throw new PlugfestError('PLUGFEST_LISTEN', most);
    }
    const opening = listen().then((listener) => {
      this.open.set(canonical, listener.origin);
      return listener;
    });
    this.taps.set(canonical, opening);
    // One that failed may be tried again.
    opening.catch(() => this.taps.delete(canonical));
    return opening;
  }

  /** Ends it. What is being opened is waited for, and told with what is open. */
  async close(): Promise<readonly TapListener[]> {
    this.closed = true;
    const taps = await Promise.allSettled(this.taps.values());
    return taps.flatMap((tap) => (tap.status === 'fulfilled' ? [tap.value] : []));
  }
}
