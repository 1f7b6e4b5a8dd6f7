import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { isOnDeclaredPath } from '../rest/base-path.ts';

/** Statuses with which gateways, limiters and login pages answer in their own forms. */
const ofIntermediaries: ReadonlySet<number> = new Set([
  401, 403, 407, 408, 413, 414, 429, 431, 502, 503, 504,
]);

/** A failed HTTP+JSON call and its JSON body. */
export interface RestFailure {
  readonly status: number;
  readonly body: JsonObject;
  /**
   * `agent`: no doubt that the agent's A2A code wrote it. `router`: it may come from a web framework that knows no
   * such route, which is no A2A error.
   */
  readonly writer: 'agent' | 'router';
}

/** The failure that an HTTP+JSON call was answered with; undefined where somebody else than the agent may have. */
export function restFailureOf(
  exchange: DecodedExchange,
  conversation: Conversation,
): RestFailure | undefined {
  const { response, operation } = exchange;
  const body = response?.json.value;
  if (response === undefined || response.status < 400 || !isJsonObject(body)) return undefined;
  const { status } = response;
  if (isJsonObject(body.error)) return { status, body, writer: 'agent' };
  if (ofIntermediaries.has(status) || operation === undefined) return undefined;
  const noRoute = status === 404 || status === 405 || status === 501;
  return {
    status,
    body,
    writer: noRoute && !isOnDeclaredPath(exchange, conversation) ? 'router' : 'agent',
  };
}
