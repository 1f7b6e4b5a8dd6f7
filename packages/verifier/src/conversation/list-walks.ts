import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import type { ExchangeRef, ListPage } from '../subjects.ts';
import { owned } from './owned.ts';

/** A client follows one list, or a few; tokens that nobody follows must not fill the memory. */
const keptTokens = 1024;
/** Pages of one walk that are remembered. */
const keptPages = 64;

/** No date-time that makes sense is longer; what peers write is not kept at any length. */
const longestTimestamp = 40;

/** Members of List Tasks that choose what is listed (A2A 1.0 section 3.1.4); sizes and details may differ. */
const filterNames = ['tenant', 'contextId', 'status', 'statusTimestampAfter'] as const;

const isNothing = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

/** What a List Tasks asks for, as a text: the same for the same filters. */
export function filtersOf(params: Json | undefined): string {
  const asked = isJsonObject(params) ? params : {};
  return JSON.stringify(filterNames.map((name) => (isNothing(asked[name]) ? null : asked[name])));
}

/** The pages of task lists whose next page may still be asked for, by the token that they gave. */
export class ListWalks {
  readonly #pages = new Map<string, ListPage>();

  before(agent: string, token: string): ListPage | undefined {
    return this.#pages.get(owned(agent, token));
  }

  /** A List Tasks that was answered. */
  add({ request, response, payloads }: DecodedExchange, exchange: ExchangeRef): void {
    const page = response?.result;
    if (!isJsonObject(page)) return;
    const { nextPageToken, totalSize } = page;
    if (typeof nextPageToken !== 'string' || nextPageToken === '') return;
    const agent = exchange.edge.callee;
    const asked = isJsonObject(request.params) ? request.params.pageToken : undefined;
    const before = typeof asked === 'string' ? this.before(agent, asked) : undefined;
    const number = (before?.number ?? 0) + 1;
    const tasks = payloads.flatMap((payload) =>
      payload.kind === 'task' && payload.side === 'response' ? [payload.task] : [],
    );
    const key = owned(agent, nextPageToken);
    this.#pages.delete(key);
    this.#pages.set(key, {
      exchange,
      filters: filtersOf(request.params),
      totalSize: typeof totalSize === 'number' ? totalSize : undefined,
      taskIds: tasks.map(({ id }) => id ?? ''),
      timestamps: tasks.flatMap(({ status: { timestamp = '' } }) =>
        timestamp === '' || timestamp.length > longestTimestamp ? [] : [timestamp],
      ),
      number,
      before: number % keptPages === 0 ? undefined : before,
    });
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= keptTokens) break;
      this.#pages.delete(oldest);
    }
  }
}
