import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { goesTo } from '../called-interface.ts';
import { declaredInterfaces } from '../declared-interfaces.ts';
import { majorMinor } from '../major-minor.ts';

/** The agent declares the interface that is called, but not in the version that is announced. */
export function isUndeclaredVersion(exchange: DecodedExchange, conversation: Conversation): boolean {
  const announced = exchange.request.a2aVersion?.trim() ?? '';
  if (announced === '') return false;
  const entries = declaredInterfaces(conversation, exchange.captured.edge.callee).filter((entry) =>
    goesTo(exchange, entry),
  );
  const wanted = majorMinor(announced);
  // An interface whose own version cannot be read says nothing.
  const versions = entries.map(({ rawVersion }) => majorMinor(rawVersion));
  return entries.length > 0 && !versions.includes(undefined) && !versions.includes(wanted);
}
