import type { Random } from './random.ts';

/** What went wrong in one case, in words. */
export class Finding extends Error {
  readonly bytes: string;

  constructor(message: string, bytes: string) {
    super(message);
    this.bytes = bytes;
  }
}

/** Something to throw bytes at: a tap with its peers, used by one case at a time. */
export interface Target extends AsyncDisposable {
  /** Plays one case; throws a `Finding`. Gives what came of it, for the count. */
  play(random: Random): Promise<string>;
  /** Bytes of the latest case. */
  readonly last: string;
}

/** How long anything in a case may take before it hangs; the machine may be busy. */
export const patienceMs = 30_000;
