import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { calledInterfaces } from '../called-interface.ts';
import { announcedVersion, declaredVersion } from '../major-minor.ts';

/** The agent declares the interface that is called, but not in the version that is announced. */
export function isUndeclaredVersion(exchange: DecodedExchange, conversation: Conversation): boolean {
  if ((exchange.request.a2aVersion?.trim() ?? '') === '') return false;
  const entries = calledInterfaces(exchange, conversation);
  const wanted = announcedVersion(exchange);
  // An interface whose own version cannot be read says nothing.
  const isOther = (entry: CardInterface): boolean => {
    const version = declaredVersion(entry);
    return version !== undefined && version !== wanted;
  };
  return entries.length > 0 && entries.every(isOther);
}
