import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import { withoutTrailingSlashes } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { declaredInterfaces, pathOf } from './declared-interfaces.ts';
import { onceForEach, onceForEachIn, onceForShared } from './last-exchange.ts';
import { interfacesSeenByCaller } from './seen-by-caller.ts';

/**
 * The base URLs, as paths, that an HTTP+JSON call may have been made from. A `/v1` before the operation's own part is
 * either the end of the interface's URL, in any version, or the start of a 0.3 path; the call alone does not say.
 */
const restBases = onceForEach(({ request, wireMethod = '' }): readonly string[] => {
  const base = baseOf(request.path, wireMethod);
  return wireMethod.includes(' /v1/') ? [base, `${base}/v1`] : [base];
});

/** A path without its last pieces, of which there are as many as in the pattern of a method: `GET /tasks/{id}`. */
export function baseOf(path: string, wireMethod: string): string {
  let at = wireMethod.indexOf('/');
  let end = at === -1 ? 0 : path.length;
  for (; at !== -1 && end > 0; at = wireMethod.indexOf('/', at + 1))
    end = Math.max(0, path.lastIndexOf('/', end - 1));
  return path.slice(0, end);
}

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

/** What of a call decides to which interfaces it may go. */
const placeOfCall = onceForEach((exchange): string => {
  const { dialect, request } = exchange;
  if (dialect === undefined) return '';
  const { binding } = dialect;
  if (binding === 'GRPC') return binding;
  return `${binding} ${binding === 'JSONRPC' ? request.path : restBases(exchange).join(' ')}`;
});

/** By the list that they were chosen from. */
const chosen = onceForShared((_: readonly CardInterface[]) => new Map<string, readonly CardInterface[]>());
const mostPlaces = 256;

/** The interfaces that a call may go to; the same list for calls to the same place. */
function choose(exchange: DecodedExchange, entries: readonly CardInterface[]): readonly CardInterface[] {
  const byPlace = chosen(entries);
  const place = placeOfCall(exchange);
  const known = byPlace.get(place);
  if (known !== undefined) return known;
  const called = entries.filter((entry) => goesTo(exchange, entry));
  if (byPlace.size >= mostPlaces) byPlace.clear();
  byPlace.set(place, called);
  return called;
}

/** The declared interfaces that a call may go to. */
export const calledInterfaces = onceForEachIn((exchange, conversation: Conversation) =>
  choose(exchange, declaredInterfaces(conversation, exchange.captured.edge.callee)),
);

/** Those of them that the caller has seen. */
export const calledInterfacesSeen = onceForEachIn((exchange, conversation: Conversation) =>
  choose(exchange, interfacesSeenByCaller(exchange, conversation)),
);
