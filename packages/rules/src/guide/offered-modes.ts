import type { CardView, DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { cardsSeenByCaller } from '../seen-by-caller.ts';

const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** Media types that a card names, by default or for one of its skills, without parameters. */
function modesOf({ value }: CardView, byDefault: string, ofSkill: string): readonly string[] {
  const skills: readonly Json[] = Array.isArray(value.skills) ? value.skills : [];
  return [
    ...texts(value[byDefault]),
    ...skills.flatMap((skill) => (isJsonObject(skill) ? texts(skill[ofSkill]) : [])),
  ].map(bare);
}

/** A media type without its parameters, in lower case. */
export const bare = (mode: string): string => mode.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const seenCards = (exchange: DecodedExchange, conversation: Conversation): readonly CardView[] =>
  cardsSeenByCaller(exchange, conversation).map(({ card }) => card);

/** What the cards that the caller fetched say the agent takes. Empty where it saw none. */
export const inputModes = (exchange: DecodedExchange, conversation: Conversation): ReadonlySet<string> =>
  new Set(
    seenCards(exchange, conversation).flatMap((card) => modesOf(card, 'defaultInputModes', 'inputModes')),
  );

/** What the cards that the caller fetched say the agent gives. Empty where it saw none. */
export const outputModes = (exchange: DecodedExchange, conversation: Conversation): ReadonlySet<string> =>
  new Set(
    seenCards(exchange, conversation).flatMap((card) => modesOf(card, 'defaultOutputModes', 'outputModes')),
  );

/** A mode with a wildcard, such as `image/*`, stands for each type that it covers. */
export function covers(modes: Iterable<string>, wanted: string): boolean {
  for (const mode of modes) {
    if (mode === wanted || mode === '*/*' || mode === '*') return true;
    if (mode.endsWith('/*') && wanted.startsWith(mode.slice(0, -1))) return true;
  }
  return false;
}
