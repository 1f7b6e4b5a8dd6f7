import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation, SpokenExchange } from '@plugfest/verifier';
import { calledInterfaces } from '../called-interface.ts';
import { declaredInterfaces, pathOf } from '../declared-interfaces.ts';
import { isOnLaterPath } from '../rest/later-path.ts';

/** Called at an interface that the agent declares for the binding and version of the call. */
export function isAtDeclaredInterface(exchange: SpokenExchange, conversation: Conversation): boolean {
  // A `/v1` in front of the operation that the declared URL does not end in is the client's (REST-009), no tenant.
  if (exchange.dialect.version === '1.0' && exchange.wireMethod?.includes(' /v1/') === true)
    return isOnDeclaredPrefix(exchange, conversation);
  // So is a `/v1` that is missing in 0.3 (REST-010).
  if (isOnLaterPath(exchange)) return false;
  let found = false;
  for (const { version, pointer } of calledInterfaces(exchange, conversation)) {
    if ((version ?? '0.3') !== exchange.dialect.version) continue;
    // The main URL of a 0.3 card is the subject of CARD-032.
    if (version === '0.3' && pointer === '') return false;
    found = true;
  }
  return found;
}

function isOnDeclaredPrefix({ captured, request }: DecodedExchange, conversation: Conversation): boolean {
  return declaredInterfaces(conversation, captured.edge.callee)
    .map(pathOf)
    .some((path) => path?.endsWith('/v1') === true && request.path.startsWith(`${path}/`));
}
