import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { declared, isSibling, requested } from './extensions.ts';

export interface OtherVersion {
  readonly asked: string;
  readonly has: string;
}

/** Extensions of which the client asks for one version, and the agent has another one only. */
export function otherVersions(
  exchange: DecodedExchange,
  conversation: Conversation,
): readonly OtherVersion[] {
  const asked = requested(exchange);
  if (asked.size === 0) return [];
  const inCard = [...(declared(exchange, conversation) ?? [])];
  return [...asked].flatMap((uri) =>
    inCard.includes(uri)
      ? []
      : inCard.filter((each) => !asked.has(each) && isSibling(each, uri)).map((has) => ({ asked: uri, has })),
  );
}
