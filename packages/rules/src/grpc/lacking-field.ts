import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Operation } from '@plugfest/model';
import { isSend } from '../sent-message.ts';

/** REQUIRED fields (section 5.7) of the requests that have some; those of sends are inside of the message. */
const required: ReadonlyMap<Operation | undefined, readonly string[]> = new Map<Operation, readonly string[]>(
  [
    ['GetTask', ['id']],
    ['CancelTask', ['id']],
    ['SubscribeToTask', ['id']],
    ['GetTaskPushNotificationConfig', ['taskId', 'id']],
    ['DeleteTaskPushNotificationConfig', ['taskId', 'id']],
    ['CreateTaskPushNotificationConfig', ['url']],
  ],
);
const requiredInMessage = ['messageId', 'role', 'parts'] as const;

/** The first REQUIRED field that a request lacks; what is empty or zero is not sent, or reads as if it were not. */
export function lackingField(exchange: DecodedExchange): string | undefined {
  const { operation, request } = exchange;
  const { value } = request.json;
  if (!isJsonObject(value)) return undefined;
  if (!isSend(exchange)) return required.get(operation)?.find((name) => value[name] === undefined);
  const { message } = value;
  if (!isJsonObject(message)) return 'message';
  const name = requiredInMessage.find((each) => message[each] === undefined);
  return name && `message.${name}`;
}
