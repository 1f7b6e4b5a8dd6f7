import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import { withoutTrailingSlashes } from '@plugfest/a2a';
import type { ProtocolVersion } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { declaredInterfaces, pathOf } from '../declared-interfaces.ts';

/** Paths of the HTTP+JSON interfaces of one version, each once, without trailing slash. */
export function basePathsOf(
  interfaces: readonly CardInterface[],
  wanted: ProtocolVersion | undefined,
): readonly string[] {
  const paths = interfaces
    .filter(({ binding, version }) => binding === 'HTTP+JSON' && version === wanted)
    .map((entry) => pathOf(entry))
    .filter((path) => path !== undefined)
    .map(withoutTrailingSlashes);
  return [...new Set(paths)];
}

/** The call went to a path below an HTTP+JSON interface that the agent's cards declare. */
export function isOnDeclaredPath(
  { captured, dialect, request }: DecodedExchange,
  conversation: Conversation,
): boolean {
  const declared = declaredInterfaces(conversation, captured.edge.callee);
  return basePathsOf(declared, dialect?.version).some((base) => request.path.startsWith(`${base}/`));
}
