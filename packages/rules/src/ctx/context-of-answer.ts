import type { DecodedExchange, MessageView, Payload } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { seenBefore } from '../before.ts';
import { sentMessage } from '../sent-message.ts';

/** An answer to a send that belongs to a context, or should. */
export interface ContextOfAnswer {
  /** Undefined where the answer names none; the empty string is the proto's default and names none either. */
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly payload: Payload;
}

/** The first Task, Message or event that answers a send. */
export function contextOfAnswer({ payloads }: DecodedExchange): ContextOfAnswer | undefined {
  for (const payload of payloads) {
    if (payload.side !== 'response') continue;
    switch (payload.kind) {
      case 'task':
        return answer(payload, payload.task.contextId, payload.task.id);
      case 'message':
        return answer(payload, payload.message.contextId, payload.message.taskId);
      case 'statusUpdate':
      case 'artifactUpdate':
        return answer(payload, payload.update.contextId, payload.update.taskId);
    }
  }
  return undefined;
}

/** A send that names a context, with what answers it. */
export interface ContextAnswered {
  readonly sent: string;
  readonly message: MessageView;
  readonly answer: ContextOfAnswer;
}

export function answerToContext(exchange: DecodedExchange): ContextAnswered | undefined {
  const message = sentMessage(exchange)?.message;
  const answer = contextOfAnswer(exchange);
  if (!message?.contextId || answer === undefined) return undefined;
  return { sent: message.contextId, message, answer };
}

const answer = (
  payload: Payload,
  contextId: string | undefined,
  taskId: string | undefined,
): ContextOfAnswer => ({ payload, contextId: contextId || undefined, taskId: taskId || undefined });

/** The context in which an agent has shown a task before a request. */
export function contextOfTask(
  { captured }: DecodedExchange,
  conversation: Conversation,
  taskId: string | undefined,
): string | undefined {
  return (
    conversation
      .task(captured.edge.callee, taskId)
      ?.observations.findLast((look) => Boolean(look.contextId) && seenBefore(look, captured))?.contextId ||
    undefined
  );
}
