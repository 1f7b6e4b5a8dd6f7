import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { sentMessage } from '../sent-message.ts';

/**
 * The HTTP status of an answer that shows that nothing of A2A is served at a URL: 404 or 405 without a word in the
 * binding's error form. Undefined for every other answer, whoever gave it.
 */
export function strangeAnswer(exchange: DecodedExchange): number | undefined {
  const { response, dialect, operation, captured } = exchange;
  if (response === undefined || (response.status !== 404 && response.status !== 405)) return undefined;
  if (response.rpc?.members.includes('jsonrpc') === true) return undefined;
  if (dialect?.binding === 'JSONRPC') return response.status;
  const { value } = response.json;
  if (response.error?.name !== undefined || (isJsonObject(value) && isJsonObject(value.error)))
    return undefined;
  // 0.3 leaves the form of errors open, so that a missing task may look like this (0.3 section 3.2.3).
  const namesTask = operation !== 'SendMessage' || Boolean(sentMessage(exchange)?.message.taskId);
  if (dialect?.version !== '1.0' && isJsonObject(value) && namesTask) return undefined;
  // The spec names two verbs for this path (1.0 sections 5.3 and 11.3.2, proto annotation).
  const wrongVerb =
    response.status === 405 && (operation === 'SubscribeToTask' || captured.request.method === 'PUT');
  return wrongVerb ? undefined : response.status;
}
