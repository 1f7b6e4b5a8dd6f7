import type { FindingLocation } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';

/** Pointer to the card inside its response body: the body itself, or the `result` of a JSON-RPC response. */
function rootOf({ exchange, card }: CardSubject): string {
  return exchange.payloads.find((payload) => payload.kind === 'card' && payload.card === card)?.pointer ?? '';
}

/** The location of a pointer inside a card. */
export function inCard(subject: CardSubject, pointer: string): FindingLocation {
  return { side: 'response', pointer: rootOf(subject) + pointer };
}
