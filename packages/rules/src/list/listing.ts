import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type JsonObject } from '@plugfest/model';
import { refusalOf } from '../refusal.ts';
import { returnedTasks, type TaskPayload } from '../sent-message.ts';

/** A successful List Tasks: what was asked, and the page that came back. */
export interface Listing {
  readonly asked: JsonObject;
  readonly page: JsonObject;
  readonly tasks: readonly TaskPayload[];
  /** JSON pointer of the page. */
  readonly pointer: string;
}

export function listingOf(exchange: DecodedExchange): Listing | undefined {
  const { operation, request, response } = exchange;
  if (operation !== 'ListTasks' || response === undefined || refusalOf(exchange) !== undefined)
    return undefined;
  if (response.status > 299 || !isJsonObject(response.result)) return undefined;
  return {
    asked: isJsonObject(request.params) ? request.params : {},
    page: response.result,
    tasks: returnedTasks(exchange),
    pointer: response.pointer,
  };
}

/** The tasks of a page, where the client asked for those with some value of a member. */
export interface FilteredTasks {
  readonly asked: string;
  readonly tasks: readonly TaskPayload[];
}

/** Undefined where there is no such filter, or nothing on the page. */
export function filteredBy(exchange: DecodedExchange, member: string): FilteredTasks | undefined {
  const listing = listingOf(exchange);
  const asked = listing?.asked[member];
  if (listing === undefined || typeof asked !== 'string' || asked === '') return undefined;
  return listing.tasks.length === 0 ? undefined : { asked, tasks: listing.tasks };
}
