import type { BodyState, DecodedExchange } from '@plugfest/a2a';

/** Which sides of an exchange are cut off, or larger than Plugfest reads: what a rule looks for may lie there. */
export interface UnreadSides {
  readonly request: boolean;
  readonly response: boolean;
}

const isUnread = (state: BodyState | undefined): boolean => state === 'truncated' || state === 'too-large';

/** Undefined where all of the exchange could be read. */
export function unreadSides({ request, response }: DecodedExchange): UnreadSides | undefined {
  const ofRequest = isUnread(request.json.state);
  const ofResponse =
    isUnread(response?.json.state) || response?.events?.some(({ json }) => isUnread(json.state)) === true;
  return ofRequest || ofResponse ? { request: ofRequest, response: ofResponse } : undefined;
}
