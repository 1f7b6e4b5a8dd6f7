import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';

/** What is wrong with the params of a call, in words. `structure`: they are no object at all. */
export interface ParamsDefect {
  readonly kind: 'structure' | 'content';
  readonly text: string;
}

const content = (text: string): ParamsDefect => ({ kind: 'content', text });

function messageDefect(message: Json | undefined, version: string): ParamsDefect | undefined {
  if (!isJsonObject(message)) return content('there is no message');
  if (!Array.isArray(message.parts)) return content('the message has no parts');
  if (typeof message.role !== 'string') return content('the message has no role');
  if (version !== '0.1' && typeof message.messageId !== 'string')
    return content('the message has no messageId');
  if (version === '1.0' && message.parts.length === 0)
    return content('the message has an empty list of parts');
  return undefined;
}

function idDefect(params: JsonObject, name: string): ParamsDefect | undefined {
  const id = params[name];
  return typeof id === 'string' ? undefined : content(`there is no ${name}`);
}

/** The first defect in the params of a JSON-RPC call that makes them unusable in its version; undefined for good ones. */
export function paramsDefect({ request, operation, dialect }: DecodedExchange): ParamsDefect | undefined {
  if (dialect === undefined || request.rpc === undefined) return undefined;
  const { params } = request.rpc;
  if (params !== undefined && !isJsonObject(params)) return { kind: 'structure', text: 'they are no object' };
  const given: JsonObject = params ?? {};
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return messageDefect(given.message, dialect.version);
    case 'GetTask':
    case 'CancelTask':
    case 'SubscribeToTask':
      return idDefect(given, 'id');
    case 'GetTaskPushNotificationConfig':
    case 'ListTaskPushNotificationConfigs':
    case 'DeleteTaskPushNotificationConfig':
      return idDefect(given, dialect.version === '1.0' ? 'taskId' : 'id');
    default:
      return undefined;
  }
}
