import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation, SpokenExchange } from '@plugfest/verifier';
import { goesTo } from '../called-interface.ts';
import { declaredInterfaces, pathOf } from '../declared-interfaces.ts';
import { isOnLaterPath } from '../rest/later-path.ts';

/** Called at an interface that the agent declares for the binding and version of the call. */
export function isAtDeclaredInterface(exchange: SpokenExchange, conversation: Conversation): boolean {
  // A `/v1` in front of the operation that the declared URL does not end in is the client's (REST-009), no tenant.
  if (exchange.dialect.version === '1.0' && exchange.wireMethod?.includes(' /v1/') === true)
    return isOnDeclaredPrefix(exchange, conversation);
  // So is a `/v1` that is missing in 0.3 (REST-010).
  if (isOnLaterPath(exchange)) return false;
  const entries = declaredInterfaces(conversation, exchange.captured.edge.callee).filter(
    (entry) => goesTo(exchange, entry) && (entry.version ?? '0.3') === exchange.dialect.version,
  );
  // The main URL of a 0.3 card is the subject of CARD-032.
  return entries.length > 0 && !entries.some(({ version, pointer }) => version === '0.3' && pointer === '');
}

function isOnDeclaredPrefix({ captured, request }: DecodedExchange, conversation: Conversation): boolean {
  return declaredInterfaces(conversation, captured.edge.callee)
    .map(pathOf)
    .some((path) => path?.endsWith('/v1') === true && request.path.startsWith(`${path}/`));
}
