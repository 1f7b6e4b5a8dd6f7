import { type CardInterface, type DecodedExchange, versionOf } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { calledInterfaces } from '../called-interface.ts';
import { onceForShared } from '../last-exchange.ts';
import { majorMinor } from '../major-minor.ts';

/** How the announced version stands to what the called interface declares: the same text, the same but for the patch. */
export type VersionMatch = 'same' | 'same-but-patch' | undefined;

export function versionMatch(
  { request, dialect }: DecodedExchange,
  declared: readonly unknown[],
): VersionMatch {
  const announced = request.a2aVersion?.trim();
  const wanted = majorMinor(announced);
  // A method of another version than the announced one may be refused for that.
  if (wanted === undefined || versionOf(announced) !== dialect?.version) return undefined;
  if (declared.includes(announced)) return 'same';
  return declared.some((version) => majorMinor(version) === wanted) ? 'same-but-patch' : undefined;
}

const versionsOf = onceForShared((entries: readonly CardInterface[]): readonly unknown[] =>
  entries.map(({ rawVersion }) => rawVersion),
);

/** The versions that the agent declares for the interface that is called. */
export const versionsInUse = (exchange: DecodedExchange, conversation: Conversation): readonly unknown[] =>
  versionsOf(calledInterfaces(exchange, conversation));
