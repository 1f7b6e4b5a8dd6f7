import { type Change, type RawHeaders, shareHeaders } from '@plugfest/model';
import type { Database, Statement } from 'better-sqlite3';
import { Damage } from './damage.ts';
import { isString, jsonList } from './rows.ts';

const isChange = (item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  'side' in item &&
  'place' in item &&
  'reason' in item &&
  Object.values(item).every(isString);

/** Lists kept at most; most captures have few. */
const most = 4096;

/** The lists of one table, each parsed once while it is kept. */
class ListReader<Item> {
  readonly #select: Statement<[number], unknown>;
  readonly #known = new Map<number, readonly Item[]>();

  readonly #where: string;
  readonly #isItem: (item: unknown) => boolean;
  readonly #share: (list: readonly Item[]) => void;

  constructor(
    db: Database,
    table: string,
    {
      column,
      isItem,
      share = () => undefined,
    }: {
      readonly column: string;
      readonly isItem: (item: unknown) => boolean;
      /** Told of each list that is read. */
      readonly share?: (list: readonly Item[]) => void;
    },
  ) {
    this.#select = db.prepare<[number], unknown>(`SELECT ${column} FROM ${table} WHERE id = ?`).pluck();
    this.#where = `${table}.${column}`;
    this.#isItem = isItem;
    this.#share = share;
  }

  get(id: number | null): readonly Item[] | undefined {
    if (id === null) return undefined;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const json = this.#select.get(id);
    if (typeof json !== 'string') throw new Damage(`${this.#where} holds no list with the id ${id}`);
    const list = jsonList<Item>(json, this.#where, this.#isItem);
    if (this.#known.size >= most) this.#known.clear();
    this.#known.set(id, list);
    this.#share(list);
    return list;
  }
}

/** Header fields and changes of heads. Exchanges with the same list share it. */
export class HeadLists {
  readonly #headers: ListReader<string>;
  readonly #changes: ListReader<Change>;

  constructor(db: Database) {
    this.#headers = new ListReader(db, 'header_lists', {
      column: 'fields',
      isItem: isString,
      share: shareHeaders,
    });
    this.#changes = new ListReader(db, 'change_lists', { column: 'changes', isItem: isChange });
  }

  headers(id: number | null): RawHeaders | undefined {
    return this.#headers.get(id);
  }

  changes(id: number | null): readonly Change[] | undefined {
    return this.#changes.get(id);
  }
}
