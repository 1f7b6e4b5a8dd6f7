import type { CardInterface } from '@plugfest/a2a';
import type { CardSighting, Conversation } from '@plugfest/verifier';

/** How many cards back a rule looks: an agent that shows another card all the time must not make it slow. */
const lastCards = 12;

interface Declared {
  readonly cards: readonly CardSighting[];
  readonly interfaces: readonly CardInterface[];
}

const known = new WeakMap<readonly CardSighting[], Declared>();
const unknown: Declared = { cards: [], interfaces: [] };

function declaredBy(conversation: Conversation, agent: string): Declared {
  // Of what a card declares that could not be read, the others say nothing.
  if (conversation.missesCard(agent)) return unknown;
  const seen = conversation.cards(agent);
  const before = known.get(seen);
  if (before !== undefined) return before;
  const latest = new Map<string, CardSighting>();
  for (const sighting of seen.slice(-lastCards)) {
    const { caller, path, card, extended } = sighting;
    latest.set(`${caller} ${path} ${card.version} ${extended}`, sighting);
  }
  const cards = [...latest.values()];
  const views = new Set(cards.map(({ card }) => card));
  const interfaces = [...views].flatMap((card) => [...card.interfaces, ...card.legacyInterfaces]);
  const declared = { cards, interfaces };
  known.set(seen, declared);
  return declared;
}

/** The cards of an agent that count now: the latest of each caller, place and version, oldest first. */
export function cardsNow(conversation: Conversation, agent: string): readonly CardSighting[] {
  return declaredBy(conversation, agent).cards;
}

/** All interfaces that an agent's cards declare, the 0.3 members of a 1.0 card included. */
export function declaredInterfaces(conversation: Conversation, agent: string): readonly CardInterface[] {
  return declaredBy(conversation, agent).interfaces;
}

const paths = new WeakMap<CardInterface, string>();

/** Path of an interface's URL; undefined where it is no absolute URL. */
export function pathOf(entry: CardInterface): string | undefined {
  const before = paths.get(entry);
  if (before !== undefined) return before;
  const parsed = URL.parse(entry.url ?? '');
  if (parsed === null) return undefined;
  const path = parsed.pathname === '' ? '/' : parsed.pathname;
  paths.set(entry, path);
  return path;
}
