import type { CardView } from '@plugfest/a2a';
import type { Json, JsonObject } from '@plugfest/model';
import { itemsOf } from '../card/card-members.ts';

/** A security requirement with its place in the card. */
export interface PlacedRequirement {
  readonly value: Json;
  readonly pointer: string;
}

function requirementsOf(owner: JsonObject, pointer: string): readonly PlacedRequirement[] {
  const list = owner.securityRequirements;
  if (!Array.isArray(list)) return [];
  return list.map((value: Json, index) => ({ value, pointer: `${pointer}/securityRequirements/${index}` }));
}

/** The security requirements of a 1.0 card and of its skills, as found. */
export function requirementsIn({ value }: CardView): readonly PlacedRequirement[] {
  const skills = itemsOf(value, 'skills', '');
  return [
    ...requirementsOf(value, ''),
    ...skills.flatMap((skill) => requirementsOf(skill.value, skill.pointer)),
  ];
}
