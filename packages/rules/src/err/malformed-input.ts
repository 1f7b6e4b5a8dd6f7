import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';

const isText = (value: Json | undefined): boolean => typeof value === 'string' && value !== '';

/** What makes the input of an operation of 1.0 unusable whatever the agent does, in words; undefined for usable ones. */
export function malformedInput({ operation, request, captured }: DecodedExchange): string | undefined {
  if (operation === undefined || request.json.state === 'truncated') return undefined;
  const { params } = request;
  if (!isJsonObject(params)) return undefined;
  // A proxy that changed the input may have broken it.
  if (captured.changes.some(({ side, place }) => side === 'request' && place === 'body')) return undefined;
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { message } = params;
      if (!isJsonObject(message)) return 'no message';
      if (!Array.isArray(message.parts) || message.parts.length === 0) return 'a message without parts';
      return undefined;
    }
    case 'GetTask':
    case 'CancelTask':
    case 'SubscribeToTask':
      return isText(params.id) ? undefined : 'no task id';
    case 'ListTasks': {
      const { pageSize } = params;
      return typeof pageSize === 'number' && (pageSize < 0 || pageSize > 100)
        ? `a page size of ${pageSize}`
        : undefined;
    }
    default:
      return undefined;
  }
}
