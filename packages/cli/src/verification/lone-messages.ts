import type { Judgement } from '@plugfest/verifier';

/** What a thread of `lone-thread.ts` is started with. */
export interface LoneCapture {
  readonly file: string;
  /** It computes the root by the way. */
  readonly hashing: boolean;
}

/** What it is told once the rules are known: that is when it begins. */
export interface LoneTask {
  /** Ids of the rules that it applies. */
  readonly rules: readonly string[];
  readonly harness: ReadonlySet<string>;
}

export type LoneAnswer =
  | {
      readonly kind: 'judged';
      readonly judgement: Judgement;
      /** What it has read: a capture that is being written may be longer for one thread than for the other. */
      readonly exchanges: number;
      readonly lastSeq: number;
      /** The capture's, where it was asked to compute it. */
      readonly root: string | undefined;
    }
  /** A rule looked beyond its subject, so it has to be applied where the conversation is. */
  | { readonly kind: 'not-alone' };
