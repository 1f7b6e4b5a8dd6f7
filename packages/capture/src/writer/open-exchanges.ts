import type { OpenExchange } from './open-exchange.ts';

/**
 * The exchanges that may still see events, by their ids, in the order in which they came.
 *
 * A `Map` leaves what was taken out of it in tables that it has outgrown, each of which refers to the next. Once one of
 * them is among the old objects, all that was ever in the later ones is taken for alive by the garbage collector until it
 * goes through the old ones, too. So the map has but numbers.
 */
export class OpenExchanges {
  readonly #places = new Map<string, number>();
  readonly #exchanges: (OpenExchange | undefined)[] = [];
  readonly #free: number[] = [];

  get(id: string): OpenExchange | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#exchanges[place];
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  add(id: string, exchange: OpenExchange): void {
    const place = this.#free.pop() ?? this.#exchanges.length;
    this.#exchanges[place] = exchange;
    this.#places.set(id, place);
  }

  delete(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#exchanges[place] = undefined;
    this.#free.push(place);
  }

  *[Symbol.iterator](): Iterator<OpenExchange> {
    for (const place of this.#places.values()) {
      const exchange = this.#exchanges[place];
      if (exchange !== undefined) yield exchange;
    }
  }
}
