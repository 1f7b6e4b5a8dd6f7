import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import { withoutTrailingSlashes } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { declaredInterfaces, pathOf } from './declared-interfaces.ts';
import { onceForEach, onceForEachIn } from './last-exchange.ts';
import { interfacesSeenByCaller } from './seen-by-caller.ts';

/**
 * The base URLs, as paths, that an HTTP+JSON call may have been made from. A `/v1` before the operation's own part is
 * either the end of the interface's URL, in any version, or the start of a 0.3 path; the call alone does not say.
 */
const restBases = onceForEach(({ request, wireMethod = '' }): readonly string[] => {
  const pattern = wireMethod.slice(wireMethod.indexOf(' ') + 1);
  const segments = pattern.split('/').length - 1;
  const base = request.path.split('/').slice(0, -segments).join('/');
  return pattern.startsWith('/v1/') ? [base, `${base}/v1`] : [base];
});

/** May a call to `base` mean the interface at `declared`? A tenant may stand between base and operation (section 11.3). */
function isBelow(base: string, declared: string): boolean {
  if (base === declared) return true;
  return base.startsWith(`${declared}/`) && !base.slice(declared.length + 1).includes('/');
}

/**
 * True where a call goes to this interface's URL by the call's binding. JSON-RPC URLs are endpoints, to be used as they
 * are; HTTP+JSON URLs are bases. Hosts are not compared: a proxy stands between.
 */
export function goesTo(exchange: DecodedExchange, entry: CardInterface): boolean {
  const { binding } = entry;
  if (binding === undefined || binding !== exchange.dialect?.binding) return false;
  // The path of a gRPC call is that of its method, so only the host could tell two interfaces apart.
  if (binding === 'GRPC') return true;
  const declared = pathOf(entry);
  if (declared === undefined) return false;
  if (binding === 'JSONRPC') return declared === (exchange.request.path || '/');
  if (binding !== 'HTTP+JSON') return false;
  const declaredBase = withoutTrailingSlashes(declared);
  return restBases(exchange).some((base) => isBelow(base, declaredBase));
}

/** The declared interfaces that a call may go to. */
export const calledInterfaces = onceForEachIn((exchange, conversation: Conversation) =>
  declaredInterfaces(conversation, exchange.captured.edge.callee).filter((entry) => goesTo(exchange, entry)),
);

/** Those of them that the caller has seen. */
export const calledInterfacesSeen = onceForEachIn((exchange, conversation: Conversation) =>
  interfacesSeenByCaller(exchange, conversation).filter((entry) => goesTo(exchange, entry)),
);
