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

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const modesOf = ({ defaultOutputModes, skills }: JsonObject): readonly string[] => [
  ...textsOf(defaultOutputModes),
  ...(Array.isArray(skills) ? skills : []).flatMap((skill: Json) =>
    isJsonObject(skill) ? textsOf(skill.outputModes) : [],
  ),
];

/** The output modes that the cards of an agent declare, of the agent and of all its skills; undefined without any. */
export function declaredOutputModes(conversation: Conversation, agent: string): OutputModes | undefined {
  const cards = cardsNow(conversation, agent);
  const before = known.get(cards);
  if (before !== undefined) return before;
  const modes = [...new Set(cards.flatMap(({ card }) => modesOf(card.value)))];
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
