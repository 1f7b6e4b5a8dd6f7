import type { MessageView } from '@plugfest/a2a';
import type { Conversation, TaskObservation } from '@plugfest/verifier';
import { seenBefore } from '../before.ts';
import { onceForEachIn } from '../last-exchange.ts';
import type { TaskPayload } from '../sent-message.ts';
import { returnedTasks, sentMessage } from '../sent-message.ts';

/** A message without `taskId` that was answered with a task: the agent was to make a new one. */
export interface FollowUp {
  readonly contextId: string | undefined;
  readonly taskId: string;
  /** What the client sent. */
  readonly message: MessageView;
  readonly payload: TaskPayload;
  /** The last look at the state of the task with that id from before the request, where there is one. */
  readonly known: TaskObservation | undefined;
}

const none: readonly TaskObservation[] = [];

/** The new work that an exchange starts; undefined where it starts none, or repeats an earlier message. */
export const followUpOf = onceForEachIn((exchange, conversation: Conversation): FollowUp | undefined => {
  const { captured } = exchange;
  const sent = sentMessage(exchange)?.message;
  const [payload] = returnedTasks(exchange);
  const id = payload?.task.id;
  if (sent === undefined || payload === undefined || id === undefined) return undefined;
  const { messageId, taskId, contextId } = sent;
  if (taskId !== undefined || messageId === undefined) return undefined;
  const { caller, callee } = captured.edge;
  // A repeated message may be answered with the task that it made (section 3.3.1).
  if (conversation.firstUseOfMessage(caller, callee, messageId) !== undefined) return undefined;
  const task = conversation.task(callee, id);
  const before = task === undefined ? none : task.observations.filter((look) => seenBefore(look, captured));
  const known = before.findLast(({ state }) => state !== undefined) ?? before.at(-1);
  return { message: sent, contextId, taskId: id, payload, known };
});
