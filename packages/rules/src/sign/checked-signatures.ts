import { type CardView, type CheckedSignature, cardSignatures, checkCard } from '@plugfest/a2a';
import type { CardSighting, CardSubject, Conversation } from '@plugfest/verifier';

const known = new WeakMap<CardView, readonly CheckedSignature[]>();

/** The signatures of a card that was shown, checked with the keys of the whole capture. */
export function checkedSignatures(
  { card, exchange }: CardSighting,
  conversation: Conversation,
): readonly CheckedSignature[] {
  if (!Array.isArray(card.value.signatures)) return [];
  const before = known.get(card);
  if (before !== undefined) return before;
  const agent = exchange.edge.callee;
  const checked = checkCard(card.value, ({ kid, jku }) => conversation.keys.for(agent, kid, jku));
  known.set(card, checked);
  return checked;
}

/** A signature that verifies, whatever form of the card it was made over. */
export const verifies = ({ status }: CheckedSignature): boolean =>
  status === 'valid' || status === 'other-form';

/** The signatures of a card that conform in nothing but their form. */
export const inOtherForm = (checked: readonly CheckedSignature[]): readonly CheckedSignature[] =>
  checked.some(({ status }) => status === 'valid')
    ? []
    : checked.filter(({ status }) => status === 'other-form');

/** The place of a pointer inside a card that was shown. */
export const inShownCard = ({ pointer }: CardSighting, inCard: string) =>
  ({ side: 'response', pointer: pointer + inCard }) as const;

const read = new WeakMap<CardView, ReturnType<typeof cardSignatures>>();

/** The signatures of a card as they are, whether they can be checked or not. */
export function entriesOf({ card }: Pick<CardSubject, 'card'>): ReturnType<typeof cardSignatures> {
  const before = read.get(card);
  if (before !== undefined) return before;
  const entries = cardSignatures(card.value);
  read.set(card, entries);
  return entries;
}
