import type { JsonObject } from '@plugfest/model';
import type { PeerContext, VersionDecision } from '../dialect.ts';
import { versionOf } from '../version.ts';
import { cardVersion } from '../views/card.ts';

/** True for a path where agents publish their public card, well-known or configured. */
export function isCardPath(path: string): boolean {
  return path.endsWith('/agent-card.json') || path.endsWith('/agent.json');
}

/** The version of a card exchange: the card's shape; without a card what the request asked for or is likely to be. */
export function cardExchangeVersion(
  card: JsonObject | undefined,
  path: string,
  a2aVersion: string | undefined,
  peer: PeerContext | undefined,
): VersionDecision {
  if (card !== undefined) return { version: cardVersion(card, { path }), decidedBy: 'shape' };
  const announced = versionOf(a2aVersion);
  if (announced !== undefined) return { version: announced, decidedBy: 'header' };
  if (peer?.version !== undefined) return { version: peer.version, decidedBy: 'peer' };
  return { version: path.endsWith('/agent.json') ? '0.2' : '1.0', decidedBy: 'default' };
}
