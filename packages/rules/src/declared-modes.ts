import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { cardsNow } from './declared-interfaces.ts';

/** What the cards of an agent say of the media types that it gives out. */
export interface OutputModes {
  readonly modes: readonly string[];
  /** False where an extended card that nobody fetched may allow more. */
  readonly complete: boolean;
}

/** A card may have as many as it likes. */
const keptModes = 256;

const known = new WeakMap<readonly unknown[], OutputModes>();

const members = {
  input: { byDefault: 'defaultInputModes', ofSkill: 'inputModes' },
  output: { byDefault: 'defaultOutputModes', ofSkill: 'outputModes' },
} as const;

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** Media types that a card names by default for what the agent takes, or gives. */
export const defaultModesOf = (card: JsonObject, direction: keyof typeof members): readonly string[] =>
  textsOf(card[members[direction].byDefault]);

/** Those, and the ones that it names for its skills. */
export const modesOf = (card: JsonObject, direction: keyof typeof members): readonly string[] => [
  ...defaultModesOf(card, direction),
  ...(Array.isArray(card.skills) ? card.skills : []).flatMap((skill: Json) =>
    isJsonObject(skill) ? textsOf(skill[members[direction].ofSkill]) : [],
  ),
];

/** The output modes that the cards of an agent declare, of the agent and of all its skills; undefined without any. */
export function declaredOutputModes(conversation: Conversation, agent: string): OutputModes | undefined {
  const cards = cardsNow(conversation, agent);
  const before = known.get(cards);
  if (before !== undefined) return before;
  const modes = [...new Set(cards.flatMap(({ card }) => modesOf(card.value, 'output')))];
  if (modes.length === 0) return undefined;
  const declared = {
    modes: modes.slice(0, keptModes),
    complete:
      modes.length <= keptModes &&
      (cards.some(({ extended }) => extended) || !cards.some(({ card }) => card.extendedCard)),
  };
  known.set(cards, declared);
  return declared;
}
