import type { LinkMethod } from '@plugfest/model';

/** How far each kind of evidence is trusted, strongest first. */
export const confidenceOf: Readonly<Record<LinkMethod, number>> = {
  'span-id': 1,
  'trace-id': 0.95,
  listener: 0.9,
  'protocol-id': 0.85,
  'part-digest': 0.7,
  'sole-open-call': 0.5,
  none: 0,
};

/** What is known of a hop's cause, by place in time. */
export interface Cause {
  readonly method: LinkMethod;
  readonly confidence: number;
  readonly parent?: number;
  readonly also: readonly { readonly index: number; readonly reason: string }[];
}

export const causedBy = (
  method: Exclude<LinkMethod, 'none'>,
  parent: number,
  also: Cause['also'] = [],
  confidence = confidenceOf[method],
): Cause => ({ method, confidence, parent, also });

/** How many candidates a hop without a decided cause lists. */
export const candidateLimit = 16;
