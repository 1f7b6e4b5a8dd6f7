import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { pointerToken } from '../pointer.ts';
import { type CardField, cardTypes } from './card-fields.ts';

/**
 * A member whose part in the signed payload is not what section 8.4.1 says: a default that was kept, or something
 * left out that is REQUIRED, that has presence of its own, or that is no default at all.
 */
export interface FormDifference {
  readonly kind: 'kept-default' | 'left-out-required' | 'left-out-present' | 'left-out-other';
  readonly pointer: string;
}

/** How many are listed. */
const mostDifferences = 32;

interface Walk {
  readonly found: FormDifference[];
}

const note = ({ found }: Walk, kind: FormDifference['kind'], pointer: string): void => {
  if (found.length < mostDifferences) found.push({ kind, pointer });
};

function compareObjects(
  type: string | undefined,
  card: JsonObject,
  signed: JsonObject,
  pointer: string,
  walk: Walk,
): void {
  const fields = type === undefined ? undefined : cardTypes.get(type);
  for (const [name, member] of Object.entries(card)) {
    const at = `${pointer}/${pointerToken(name)}`;
    const field = fields?.get(name);
    const inPayload = Object.hasOwn(signed, name) ? signed[name] : undefined;
    // Of unknown members the text says nothing, so their absence is none.
    if (fields !== undefined && field === undefined) continue;
    if (member === null) {
      // `null` stands for absence (ProtoJSON), and is no part of the canonical form.
      if (inPayload === null) note(walk, 'kept-default', at);
      continue;
    }
    if (inPayload === undefined) {
      if (field === undefined) note(walk, 'left-out-other', at);
      else if (field.presence === 'required') note(walk, 'left-out-required', at);
      else if (field.presence === 'optional' || field.presence === 'message')
        note(walk, 'left-out-present', at);
      else if (!isEmpty(member)) note(walk, 'left-out-other', at);
    } else if (field?.presence === 'implicit' && isEmpty(member)) note(walk, 'kept-default', at);
    else compareMember(field, member, inPayload, at, walk);
  }
}

function compareMember(
  field: CardField | undefined,
  member: Json,
  signed: Json,
  pointer: string,
  walk: Walk,
): void {
  if (field?.shape === 'map') {
    if (isJsonObject(member) && isJsonObject(signed))
      for (const [key, item] of Object.entries(member)) {
        const at = `${pointer}/${pointerToken(key)}`;
        const inPayload = Object.hasOwn(signed, key) ? signed[key] : undefined;
        if (inPayload === undefined)
          note(walk, field.type === undefined ? 'left-out-other' : 'left-out-present', at);
        else compareValues(field.type, item, inPayload, at, walk);
      }
    return;
  }
  compareValues(field?.type, member, signed, pointer, walk);
}

function compareValues(
  type: string | undefined,
  member: Json,
  signed: Json,
  pointer: string,
  walk: Walk,
): void {
  if (isJsonObject(member) && isJsonObject(signed)) compareObjects(type, member, signed, pointer, walk);
  else if (Array.isArray(member) && Array.isArray(signed)) {
    if (member.length !== signed.length) note(walk, 'left-out-other', pointer);
    else
      member.forEach((item: Json, index) => {
        compareValues(type, item, signed[index] ?? null, `${pointer}/${index}`, walk);
      });
  }
}

const isEmpty = (value: Json): boolean =>
  value === '' ||
  value === false ||
  value === 0 ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** How the members of a signed payload differ from what section 8.4.1 chooses of a card. */
export function formDifferences(card: JsonObject, signed: Json): readonly FormDifference[] {
  const walk: Walk = { found: [] };
  const { signatures: _, ...rest } = card;
  compareObjects('AgentCard', rest, isJsonObject(signed) ? signed : {}, '', walk);
  return walk.found;
}

/** The members of a card that have their default value: what each canonical form treats in its own way. */
export interface CardDefaults {
  /** Left out by section 8.4.1. */
  readonly implicit: readonly string[];
  /** Kept: `optional` members and empty objects that were explicitly set. */
  readonly present: readonly string[];
  /** Kept, because REQUIRED. */
  readonly required: readonly string[];
}

/** The pointers of a card's members that have their default value. */
export function cardDefaults(card: JsonObject): CardDefaults {
  const found = { implicit: [] as string[], present: [] as string[], required: [] as string[] };
  collectDefaults('AgentCard', card, '', found);
  return found;
}

function collectDefaults(
  type: string | undefined,
  value: Json,
  pointer: string,
  found: { implicit: string[]; present: string[]; required: string[] },
): void {
  const fields = type === undefined ? undefined : cardTypes.get(type);
  if (fields === undefined || !isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const field = fields.get(name);
    if (field === undefined) continue;
    const at = `${pointer}/${pointerToken(name)}`;
    if (member === null) found.implicit.push(at);
    else if (isEmpty(member)) {
      const list = field.presence === 'optional' || field.presence === 'message' ? 'present' : field.presence;
      if (found[list].length < mostDifferences) found[list].push(at);
    } else if (field.shape === 'one') collectDefaults(field.type, member, at, found);
    else
      for (const [key, item] of Object.entries(member))
        collectDefaults(field.type, item, `${at}/${pointerToken(key)}`, found);
  }
}
