import { hash } from 'node:crypto';
import type { CardView, DecodedExchange } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import type { CardSighting, Discovery, ExchangeRef, RefusedFetch } from '../subjects.ts';
import { owned } from './owned.ts';

/** An agent whose card differs each time must not fill the memory: the oldest sightings are dropped. */
const keptSightings = 64;
/** Nor may who asks for cards at ever new places. */
const keptRefusals = 64;

interface Shown {
  /** Replaced, never changed, when a card is added: what rules work out from it stays right for it. */
  sightings: readonly CardSighting[];
  readonly views: Map<string, CardView>;
  /** By the card itself, the view that it became last: an equal one that comes soon after is the same object. */
  last: WeakMap<JsonObject, CardView>;
  readonly refused: Map<string, RefusedFetch>;
}

interface OpenDiscovery extends Discovery {
  readonly refused: RefusedFetch[];
  found: boolean;
  called: boolean;
}

const none: readonly CardSighting[] = [];
const noRefusals: ReadonlyMap<string, RefusedFetch> = new Map();

/** The cards that agents showed, and what callers did to find them. A card that is fetched often is kept once. */
export class Cards {
  readonly #shown = new Map<string, Shown>();
  readonly #discoveries = new Map<string, OpenDiscovery>();

  of(agent: string): readonly CardSighting[] {
    return this.#shown.get(agent)?.sightings ?? none;
  }

  /** The sightings of each agent. */
  *all(): IterableIterator<readonly CardSighting[]> {
    for (const { sightings } of this.#shown.values()) yield sightings;
  }

  refusals(agent: string): ReadonlyMap<string, RefusedFetch> {
    return this.#shown.get(agent)?.refused ?? noRefusals;
  }

  discoveries(): IterableIterator<Discovery> {
    return this.#discoveries.values();
  }

  /** The card payloads of an exchange. Returns the last one, the one that counts from now on. */
  add(exchange: DecodedExchange, ref: ExchangeRef, extended: boolean): CardView | undefined {
    const { caller, callee } = ref.edge;
    let last: CardView | undefined;
    for (const payload of exchange.payloads) {
      if (payload.kind !== 'card') continue;
      const shown = this.#of(callee);
      const card = interned(shown, payload.card);
      const { path } = exchange.request;
      const before = shown.sightings;
      const newest = before.at(-1);
      const isSame = (seen: CardSighting): boolean =>
        seen.card === card && seen.caller === caller && seen.path === path && seen.extended === extended;
      if (newest === undefined || !isSame(newest)) {
        const others = before.filter((seen) => !isSame(seen)).slice(1 - keptSightings);
        shown.sightings = [
          ...others,
          { exchange: ref, caller, path, pointer: payload.pointer, card, extended },
        ];
      }
      last = card;
    }
    return last;
  }

  /** A fetch of a card: found, or refused with a client error. */
  fetched({ request, response, payloads }: DecodedExchange, ref: ExchangeRef): void {
    const { caller, callee } = ref.edge;
    const discovery = this.#discovery(caller, callee, ref);
    if (payloads.some(({ kind }) => kind === 'card')) discovery.found = true;
    if (response === undefined || response.status < 400 || response.status > 499) return;
    const refusal: RefusedFetch = { exchange: ref, path: request.path, status: response.status };
    const { refused } = this.#of(callee);
    if (refused.size < keptRefusals && !refused.has(request.path)) refused.set(request.path, refusal);
    if (
      discovery.refused.length < keptRefusals &&
      discovery.refused.every(({ path }) => path !== request.path)
    )
      discovery.refused.push(refusal);
  }

  /** The agent answered an operation of this caller, which so has no need of the card. */
  served(caller: string, agent: string): void {
    const discovery = this.#discoveries.get(owned(agent, caller));
    if (discovery !== undefined) discovery.called = true;
  }

  #of(agent: string): Shown {
    const known = this.#shown.get(agent);
    if (known !== undefined) return known;
    const shown: Shown = { sightings: none, views: new Map(), last: new WeakMap(), refused: new Map() };
    this.#shown.set(agent, shown);
    return shown;
  }

  #discovery(caller: string, agent: string, exchange: ExchangeRef): OpenDiscovery {
    const key = owned(agent, caller);
    const known = this.#discoveries.get(key);
    if (known !== undefined) return known;
    const discovery = { caller, agent, exchange, refused: [], found: false, called: false };
    this.#discoveries.set(key, discovery);
    return discovery;
  }
}

/** The first view of a card with this content, so that equal cards are one object. */
function interned(shown: Shown, card: CardView): CardView {
  const same = shown.last.get(card.value);
  if (same?.version === card.version && same.extended === card.extended) return same;
  const first = firstEqual(shown, card);
  shown.last.set(card.value, first);
  return first;
}

function firstEqual(shown: Shown, card: CardView): CardView {
  const key = hash('sha256', `${card.version} ${card.extended} ${JSON.stringify(card.value)}`);
  const known = shown.views.get(key);
  if (known !== undefined) return known;
  if (shown.views.size >= keptSightings) {
    shown.views.clear();
    shown.last = new WeakMap();
  }
  shown.views.set(key, card);
  return card;
}
