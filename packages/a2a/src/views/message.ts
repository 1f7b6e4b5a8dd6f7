import type { JsonObject } from '@plugfest/model';
import type { MessageView } from '../decoded.ts';
import { canonicalRole } from '../states.ts';
import { idText, texts } from './members.ts';
import { partViews } from './part.ts';

/** A message of any version. 0.1 messages have no ids. */
export function messageView(value: JsonObject, pointer: string): MessageView {
  return {
    messageId: idText(value, 'messageId', 'message_id'),
    role: canonicalRole(value.role),
    taskId: idText(value, 'taskId', 'task_id'),
    contextId: idText(value, 'contextId', 'context_id'),
    referenceTaskIds: texts(value, 'referenceTaskIds'),
    parts: partViews(value, pointer),
    value,
    pointer,
  };
}
