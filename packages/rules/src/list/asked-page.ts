import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation, ListPage } from '@plugfest/verifier';

/** The token of the page that a List Tasks asks for; undefined for the first page. */
export function askedToken({ operation, request }: DecodedExchange): string | undefined {
  if (operation !== 'ListTasks' || !isJsonObject(request.params)) return undefined;
  const { pageToken } = request.params;
  return typeof pageToken === 'string' && pageToken !== '' ? pageToken : undefined;
}

/** The page whose token a List Tasks sends; undefined where it is older than the capture, or made up. */
export function pageBefore(exchange: DecodedExchange, conversation: Conversation): ListPage | undefined {
  const token = askedToken(exchange);
  if (token === undefined) return undefined;
  return conversation.pageBefore(exchange.captured.edge.callee, token, exchange.request.params);
}
