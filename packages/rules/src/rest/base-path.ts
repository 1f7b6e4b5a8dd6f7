import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';

/** How many of an agent's latest cards are looked at: public and extended ones, of several versions. */
const recentCards = 8;

/** Paths of the HTTP+JSON interfaces of one version in the cards that an agent showed last, without trailing slash. */
export function declaredBasePaths(
  { captured, dialect }: DecodedExchange,
  conversation: Conversation,
): readonly string[] {
  const paths = conversation
    .cards(captured.edge.callee)
    .slice(-recentCards)
    .flatMap(({ card }) => [...card.interfaces, ...card.legacyInterfaces])
    .filter(({ binding, version }) => binding === 'HTTP+JSON' && version === dialect?.version)
    .map(({ url }) => URL.parse(url ?? '')?.pathname.replace(/\/+$/, ''))
    .filter((path) => path !== undefined);
  return [...new Set(paths)];
}

/** The request path below a base path; undefined where it is not below it. */
export function below(base: string, path: string): string | undefined {
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}

/** The call went to a path below an HTTP+JSON interface that the agent's card declares. */
export function isOnDeclaredPath(exchange: DecodedExchange, conversation: Conversation): boolean {
  return declaredBasePaths(exchange, conversation).some(
    (base) => below(base, exchange.request.path) !== undefined,
  );
}
