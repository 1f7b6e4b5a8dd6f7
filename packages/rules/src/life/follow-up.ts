import type { Payload } from '@plugfest/a2a';
import type { Conversation, Subjects, TaskObservation } from '@plugfest/verifier';
import { seenBefore } from '../before.ts';

/** A message without `taskId` that was answered with a task: the agent was to make a new one. */
export interface FollowUp {
  readonly contextId: string | undefined;
  readonly taskId: string;
  readonly payload: Payload;
  /** The last look at the state of the task with that id from before the request, where there is one. */
  readonly known: TaskObservation | undefined;
}

/** The new work that an exchange starts; undefined where it starts none, or repeats an earlier message. */
export function followUpOf(exchange: Subjects['exchange'], conversation: Conversation): FollowUp | undefined {
  const { operation, captured, payloads } = exchange;
  if (operation !== 'SendMessage' && operation !== 'SendStreamingMessage') return undefined;
  const sent = payloads.find(({ side, kind }) => side === 'request' && kind === 'message');
  const payload = payloads.find(({ side, kind }) => side === 'response' && kind === 'task');
  if (sent?.kind !== 'message' || payload?.kind !== 'task' || payload.task.id === undefined) return undefined;
  const { messageId, taskId, contextId } = sent.message;
  if (taskId !== undefined || messageId === undefined) return undefined;
  const { caller, callee } = captured.edge;
  // A repeated message may be answered with the task that it made (section 3.3.1).
  if (conversation.firstUseOfMessage(caller, callee, messageId) !== undefined) return undefined;
  const id = payload.task.id;
  const before =
    conversation.task(callee, id)?.observations.filter((look) => seenBefore(look, captured)) ?? [];
  const known = before.findLast(({ state }) => state !== undefined) ?? before.at(-1);
  return { contextId, taskId: id, payload, known };
}
