import type { Change, RawHeaders } from '@plugfest/model';
import type { Database, Statement } from 'better-sqlite3';

/** Lists kept at most; most captures have few. */
const most = 4096;

/** The lists of one table, each parsed once while it is kept. */
class ListReader<Item> {
  readonly #select: Statement<[number], string>;
  readonly #known = new Map<number, readonly Item[]>();

  constructor(db: Database, sql: string) {
    this.#select = db.prepare<[number], string>(sql).pluck();
  }

  get(id: number | null): readonly Item[] | undefined {
    if (id === null) return undefined;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const json = this.#select.get(id);
    if (json === undefined) return undefined;
    const list = JSON.parse(json) as readonly Item[];
    if (this.#known.size >= most) this.#known.clear();
    this.#known.set(id, list);
    return list;
  }
}

/** Header fields and changes of heads. Exchanges with the same list share it. */
export class HeadLists {
  readonly #headers: ListReader<string>;
  readonly #changes: ListReader<Change>;

  constructor(db: Database) {
    this.#headers = new ListReader(db, 'SELECT fields FROM header_lists WHERE id = ?');
    this.#changes = new ListReader(db, 'SELECT changes FROM change_lists WHERE id = ?');
  }

  headers(id: number | null): RawHeaders | undefined {
    return this.#headers.get(id);
  }

  changes(id: number | null): readonly Change[] | undefined {
    return this.#changes.get(id);
  }
}
