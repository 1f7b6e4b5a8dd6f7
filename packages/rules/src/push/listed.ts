import { isTerminal } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { wasServed } from '../refusal.ts';
import { isSameCaller } from '../same-caller.ts';
import { namedIn } from './registered.ts';

/**
 * Configs that a whole list of a task's configs has to hold: registered by the same caller and answered before the
 * request, and not deleted. Undefined where the exchange is no such list, or where the task may have ended.
 */
export function expectedInList(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): readonly PushConfigRecord[] | undefined {
  if (exchange.operation !== 'ListTaskPushNotificationConfigs' || !wasServed(exchange)) return undefined;
  const { captured, request, response } = exchange;
  const isPage =
    (isJsonObject(request.params) && Boolean(request.params.pageToken)) ||
    (isJsonObject(response?.result) && Boolean(response.result.nextPageToken));
  if (isPage) return undefined;
  const { taskId } = namedIn(exchange);
  const { callee } = captured.edge;
  // A config has to live until its task ends, and no longer (section 3.1.7).
  if (isTerminal(conversation.task(callee, taskId)?.observations.findLast(({ state }) => state)?.state))
    return undefined;
  return conversation.configsOf(callee, taskId).filter((config) => {
    const { exchange: registration, answeredAtNs = Number.POSITIVE_INFINITY } = config;
    return (
      config.accepted &&
      config.deletedAtNs === undefined &&
      isSameCaller(registration, captured) &&
      answeredAtNs <= captured.request.atNs
    );
  });
}

/**
 * True where nothing was lost between a config's registration and a list: neither its deletion nor the end of its task
 * can have gone unseen.
 */
export const isStillThere =
  ({ captured }: Subjects['exchange'], conversation: Conversation) =>
  ({ answeredAtNs, atNs }: PushConfigRecord): boolean =>
    !conversation.gapBetween(answeredAtNs ?? atNs, captured.response?.atNs ?? captured.request.atNs);
