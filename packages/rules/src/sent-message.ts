import type { DecodedExchange, Payload } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { onceForEach } from './last-exchange.ts';

export type MessagePayload = Payload & { readonly kind: 'message' };
export type TaskPayload = Payload & { readonly kind: 'task' };

/** True for the two operations that send a message. */
export const isSend = ({ operation }: DecodedExchange): boolean =>
  operation === 'SendMessage' || operation === 'SendStreamingMessage';

/** The message that a client sends; undefined for other operations and where the request has none. */
export function sentMessage(exchange: DecodedExchange): MessagePayload | undefined {
  if (!isSend(exchange)) return undefined;
  // Payloads of the request come first.
  for (const payload of exchange.payloads) {
    if (payload.side !== 'request') return undefined;
    if (payload.kind === 'message') return payload;
  }
  return undefined;
}

/** The `configuration` of a send; undefined for other operations and where there is none. */
export function configurationOf(exchange: DecodedExchange): JsonObject | undefined {
  const { params } = exchange.request;
  const configuration = isSend(exchange) && isJsonObject(params) ? params.configuration : undefined;
  return isJsonObject(configuration) ? configuration : undefined;
}

/** The media types that the client of a send accepts; empty where it does not say. */
export function acceptedModes(exchange: DecodedExchange): readonly string[] {
  const modes = configurationOf(exchange)?.acceptedOutputModes;
  return Array.isArray(modes)
    ? modes.filter((mode: Json): mode is string => typeof mode === 'string' && mode !== '')
    : [];
}

/** The tasks in an answer, streams included. */
export const returnedTasks = onceForEach(({ payloads }): readonly TaskPayload[] =>
  payloads.filter(
    (payload): payload is TaskPayload => payload.side === 'response' && payload.kind === 'task',
  ),
);

/** The place of a payload, or of a member of it. */
export function placeOf(payload: Payload, member = '') {
  const { side, event, pointer } = payload;
  return { side, pointer: pointer + member, ...(event === undefined ? {} : { event }) };
}
