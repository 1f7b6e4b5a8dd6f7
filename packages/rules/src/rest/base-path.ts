import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import { withoutTrailingSlashes } from '@plugfest/a2a';
import type { ProtocolVersion } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { declaredInterfaces, pathOf } from '../declared-interfaces.ts';

/** Of the version that was asked for last; lists of interfaces stay the same while the cards do. */
const known = new WeakMap<
  readonly CardInterface[],
  { readonly version: ProtocolVersion | undefined; readonly paths: readonly string[] }
>();

/** Paths of the HTTP+JSON interfaces of one version, each once, without trailing slash. */
export function basePathsOf(
  interfaces: readonly CardInterface[],
  wanted: ProtocolVersion | undefined,
): readonly string[] {
  const before = known.get(interfaces);
  if (before?.version === wanted && before !== undefined) return before.paths;
  const paths = interfaces
    .filter(({ binding, version }) => binding === 'HTTP+JSON' && version === wanted)
    .map((entry) => pathOf(entry))
    .filter((path) => path !== undefined)
    .map(withoutTrailingSlashes);
  const found = [...new Set(paths)];
  known.set(interfaces, { version: wanted, paths: found });
  return found;
}

/** The call went to a path below an HTTP+JSON interface that the agent's cards declare. */
export function isOnDeclaredPath(
  { captured, dialect, request }: DecodedExchange,
  conversation: Conversation,
): boolean {
  const declared = declaredInterfaces(conversation, captured.edge.callee);
  return basePathsOf(declared, dialect?.version).some((base) => request.path.startsWith(`${base}/`));
}
