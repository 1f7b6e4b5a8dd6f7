import type { CardInterface } from '@plugfest/a2a';
import type { CardSubject, Conversation } from '@plugfest/verifier';

/** How many card fetches back a rule looks: an agent that is asked for its card all the time must not make it slow. */
const lastCards = 12;

/** The cards of an agent that count now: the latest of each place and version, oldest first. */
export function cardsNow(conversation: Conversation, agent: string): readonly CardSubject[] {
  const latest = new Map<string, CardSubject>();
  for (const seen of conversation.cards(agent).slice(-lastCards)) {
    const { exchange, card, extended } = seen;
    latest.set(`${exchange.request.path} ${card.version} ${extended}`, seen);
  }
  return [...latest.values()];
}

/** All interfaces that an agent's cards declare, the 0.3 members of a 1.0 card included. */
export function declaredInterfaces(conversation: Conversation, agent: string): readonly CardInterface[] {
  return cardsNow(conversation, agent).flatMap(({ card }) => [...card.interfaces, ...card.legacyInterfaces]);
}

/** Path of an interface URL; undefined where it is no absolute URL. */
export function pathOf(url: string | undefined): string | undefined {
  const path = URL.parse(url ?? '')?.pathname;
  return path === '' ? '/' : path;
}
