import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { namedIn } from './registered.ts';

type Exchange = Subjects['exchange'];

/** The config that a get names was deleted before the request, and not made again under the same id. */
export function wasDeleted(exchange: Exchange, conversation: Conversation): boolean {
  const { taskId, configId } = namedIn(exchange);
  const { edge, request } = exchange.captured;
  const isGone = ({ deletedAtNs }: PushConfigRecord): boolean =>
    deletedAtNs !== undefined && deletedAtNs <= request.atNs;
  const named = conversation
    .configsOf(edge.callee, taskId)
    .filter(({ id }) => id !== undefined && id === configId);
  return named.length > 0 && named.every(isGone);
}

/** A probe that names a config which the agent has never shown: the harness made the id up. */
export function isInventedConfig(exchange: Exchange, conversation: Conversation): boolean {
  const { taskId, configId } = namedIn(exchange);
  if (exchange.captured.purpose !== 'probe' || configId === undefined) return false;
  const known = conversation.configsOf(exchange.captured.edge.callee, taskId);
  return known.every(({ id }) => id !== undefined && id !== configId);
}
