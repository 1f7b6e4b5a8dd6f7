import type { BodyState } from '@plugfest/a2a';

/** True for a body of which nothing or only a part could be read: what it lacks proves nothing. */
export const isUnread = (state: BodyState | undefined): boolean =>
  state === 'truncated' || state === 'too-large';
