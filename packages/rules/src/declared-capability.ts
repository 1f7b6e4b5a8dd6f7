import type { CardView } from '@plugfest/a2a';
import type { Conversation, Subjects } from '@plugfest/verifier';
import { concernsOperation, refusalOf, wasServed } from './refusal.ts';

type Capability = 'streaming' | 'pushNotifications' | 'extendedCard';

/** How many of an agent's latest cards are looked at: public and extended ones, for several callers. */
const recentCards = 8;

/**
 * What the 1.0 cards that an agent showed last say of a capability. Undefined where none was seen, or where they
 * differ: then the capture does not say which one holds.
 */
export function declared(
  capability: Capability,
  { captured }: Subjects['exchange'],
  conversation: Conversation,
): boolean | undefined {
  const cards: readonly CardView[] = conversation
    .cards(captured.edge.callee)
    .slice(-recentCards)
    .map(({ card }) => card)
    .filter(({ version }) => version === '1.0');
  const [first] = cards;
  if (first === undefined) return undefined;
  return cards.every((card) => card[capability] === first[capability]) ? first[capability] : undefined;
}

/** How an agent answered an operation that needs a capability; undefined where the answer says nothing about it. */
export function answerTo(exchange: Subjects['exchange']): 'served' | string | undefined {
  const refusal = refusalOf(exchange);
  if (refusal === undefined) return wasServed(exchange) ? 'served' : undefined;
  if (!concernsOperation(refusal)) return undefined;
  // Bad parameters, unknown tasks and faults are found before or after the capability; no order is laid down.
  const undecided = ['InvalidParamsError', 'InvalidRequestError', 'InternalError', 'TaskNotFoundError'];
  return undecided.includes(refusal.name) ? undefined : refusal.name;
}
