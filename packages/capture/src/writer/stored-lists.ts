import type { Change, RawHeaders } from '@plugfest/model';
import type { Row } from './rows.ts';

/** What redaction of lists needs. */
interface ListFilter {
  headers(headers: RawHeaders): RawHeaders;
  change(change: Change): Change;
  readonly redactions: number;
  readonly version: number;
}

/** Lists remembered by their text, at most. */
const mostLists = 4096;
const mostCharacters = 4 * 1024 * 1024;

/** Rows of one table of lists, by content. */
class ListTable {
  readonly #kind: 'headerList' | 'changeList';
  readonly #ids = new Map<string, number>();
  #characters = 0;
  #lastId: number;

  constructor(kind: 'headerList' | 'changeList', lastId: number) {
    this.#kind = kind;
    this.#lastId = lastId;
  }

  idOf(list: readonly unknown[], rows: Row[]): number {
    const json = JSON.stringify(list);
    const known = this.#ids.get(json);
    if (known !== undefined) return known;
    if (this.#ids.size >= mostLists || this.#characters > mostCharacters) this.forget();
    this.#lastId += 1;
    this.#ids.set(json, this.#lastId);
    this.#characters += json.length;
    rows.push([this.#kind, [this.#lastId, json]]);
    return this.#lastId;
  }

  forget(): void {
    this.#ids.clear();
    this.#characters = 0;
  }
}

interface Known {
  readonly id: number;
  readonly redactions: number;
  /** Of the filter: it would give something else under another. */
  readonly version: number;
}

/** Redacts and stores lists of header fields and of changes, each once as long as it is remembered. */
export class StoredLists {
  readonly #filter: ListFilter;
  readonly #headers: ListTable;
  readonly #changes: ListTable;
  #known = new WeakMap<readonly unknown[], Known>();
  #repeated = 0;

  constructor(filter: ListFilter, lastIds: { readonly headers: number; readonly changes: number }) {
    this.#filter = filter;
    this.#headers = new ListTable('headerList', lastIds.headers);
    this.#changes = new ListTable('changeList', lastIds.changes);
  }

  /** Secrets in lists that were known already; the filter does not see these. */
  get redactions(): number {
    return this.#repeated;
  }

  headers(list: RawHeaders, rows: Row[]): number {
    return this.#idOf(list, () => this.#headers.idOf(this.#filter.headers(list), rows));
  }

  changes(list: readonly Change[], rows: Row[]): number {
    return this.#idOf(list, () =>
      this.#changes.idOf(
        list.map((change) => this.#filter.change(change)),
        rows,
      ),
    );
  }

  /** The rows did not reach the disk: lists have to be stored again. */
  forget(): void {
    this.#known = new WeakMap();
    this.#headers.forget();
    this.#changes.forget();
  }

  #idOf(list: readonly unknown[], store: () => number): number {
    const filter = this.#filter;
    const known = this.#known.get(list);
    if (known !== undefined && known.version === filter.version) {
      this.#repeated += known.redactions;
      return known.id;
    }
    const { version, redactions: before } = filter;
    const id = store();
    this.#known.set(list, { id, redactions: filter.redactions - before, version });
    return id;
  }
}
