import type { DecodedExchange, Payload } from '@plugfest/a2a';
import { isJsonObject, type JsonObject } from '@plugfest/model';
import { refusalOf } from '../refusal.ts';

export type TaskPayload = Payload & { readonly kind: 'task' };

/** A successful List Tasks: what was asked, and the page that came back. */
export interface Listing {
  readonly asked: JsonObject;
  readonly page: JsonObject;
  readonly tasks: readonly TaskPayload[];
  /** JSON pointer of the page. */
  readonly pointer: string;
}

export function listingOf(exchange: DecodedExchange): Listing | undefined {
  const { operation, request, response, payloads } = exchange;
  if (operation !== 'ListTasks' || response === undefined || refusalOf(exchange) !== undefined)
    return undefined;
  if (response.status < 200 || response.status > 299 || !isJsonObject(response.result)) return undefined;
  return {
    asked: isJsonObject(request.params) ? request.params : {},
    page: response.result,
    tasks: payloads.filter(
      (payload): payload is TaskPayload => payload.side === 'response' && payload.kind === 'task',
    ),
    pointer: response.pointer,
  };
}
