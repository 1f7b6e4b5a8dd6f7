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
  /** The same by token and list: a token that is a number of tasks, say, is given in many lists. */
  readonly #pagesOfLists = new Map<string, ListPage>();

  /** The page of the list with these filters, else the last page of any list that gave the token. */
  before(agent: string, token: string, filters: string): ListPage | undefined {
    return this.#pagesOfLists.get(inList(agent, token, filters)) ?? this.#pages.get(owned(agent, token));
  }

  /** A List Tasks that was answered. */
  add({ request, response, payloads }: DecodedExchange, exchange: ExchangeRef): void {
    const page = response?.result;
    if (!isJsonObject(page)) return;
    const { nextPageToken, totalSize } = page;
    if (typeof nextPageToken !== 'string' || nextPageToken === '') return;
    const agent = exchange.edge.callee;
    const filters = filtersOf(request.params);
    const asked = isJsonObject(request.params) ? request.params.pageToken : undefined;
    const before = typeof asked === 'string' ? this.before(agent, asked, filters) : undefined;
    const number = (before?.number ?? 0) + 1;
    const tasks = payloads.flatMap((payload) =>
      payload.kind === 'task' && payload.side === 'response' ? [payload.task] : [],
    );
    const known: ListPage = {
      exchange,
      filters,
      totalSize: typeof totalSize === 'number' ? totalSize : undefined,
      taskIds: tasks.map(({ id }) => id ?? ''),
      timestamps: tasks.flatMap(({ status: { timestamp = '' } }) =>
        timestamp === '' || timestamp.length > longestTimestamp ? [] : [timestamp],
      ),
      number,
      before: number % keptPages === 0 ? undefined : before,
    };
    keep(this.#pages, owned(agent, nextPageToken), known);
    keep(this.#pagesOfLists, inList(agent, nextPageToken, filters), known);
  }
}

const inList = (agent: string, token: string, filters: string): string => owned(agent, owned(token, filters));

/** As the newest, and without the oldest where there are too many. */
function keep(pages: Map<string, ListPage>, key: string, page: ListPage): void {
  pages.delete(key);
  pages.set(key, page);
  for (const oldest of pages.keys()) {
    if (pages.size <= keptTokens) break;
    pages.delete(oldest);
  }
}
