import { isJsonObject, type Json } from '@plugfest/model';
import type { StatusView } from '../decoded.ts';
import { canonicalState } from '../states.ts';
import { text } from './members.ts';
import { messageView } from './message.ts';

/** The `status` member of a task or status event, as found. */
export function statusView(value: Json | undefined, pointer: string): StatusView {
  if (!isJsonObject(value)) {
    return {
      state: undefined,
      rawState: undefined,
      timestamp: undefined,
      message: undefined,
      value,
      pointer,
    };
  }
  const message = value.message;
  return {
    state: canonicalState(value.state),
    rawState: value.state,
    timestamp: text(value, 'timestamp'),
    message: isJsonObject(message) ? messageView(message, `${pointer}/message`) : undefined,
    value,
    pointer,
  };
}
