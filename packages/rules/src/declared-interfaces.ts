import type { CardInterface } from '@plugfest/a2a';
import type { CardSubject, Conversation } from '@plugfest/verifier';

/** How many card fetches back a rule looks: an agent that is asked for its card all the time must not make it slow. */
const lastCards = 12;

interface Declared {
  /** Number of fetches that it was worked out from. */
  readonly fetches: number;
  readonly cards: readonly CardSubject[];
  readonly interfaces: readonly CardInterface[];
}

const nothing: Declared = { fetches: 0, cards: [], interfaces: [] };
const known = new WeakMap<readonly CardSubject[], Declared>();

function declaredBy(conversation: Conversation, agent: string): Declared {
  const seen = conversation.cards(agent);
  if (seen.length === 0) return nothing;
  const before = known.get(seen);
  if (before?.fetches === seen.length) return before;
  const latest = new Map<string, CardSubject>();
  for (const subject of seen.slice(-lastCards)) {
    const { exchange, card, extended } = subject;
    latest.set(`${exchange.request.path} ${card.version} ${extended}`, subject);
  }
  const cards = [...latest.values()];
  const interfaces = cards.flatMap(({ card }) => [...card.interfaces, ...card.legacyInterfaces]);
  const declared = { fetches: seen.length, cards, interfaces };
  known.set(seen, declared);
  return declared;
}

/** The cards of an agent that count now: the latest of each place and version, oldest first. */
export function cardsNow(conversation: Conversation, agent: string): readonly CardSubject[] {
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
