import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { canonicalJson } from './canonical-json.ts';
import { type CardField, cardTypes, type Presence } from './card-fields.ts';

/** What becomes of a member that has its default value; whatever its presence, `null` counts as absent. */
type Kept = Readonly<Record<Presence, boolean>>;

/** What section 8.4.1 keeps. */
const bySpec: Kept = { required: true, optional: true, message: true, implicit: false };

interface Selection {
  readonly kept: Kept;
  /** Members that the schema does not have stay; the text does not say whether they are signed. */
  readonly unknown: boolean;
}

function isDefault(value: Json): boolean {
  if (value === '' || value === false || value === 0) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function select(type: string, value: Json, how: Selection): Json {
  if (!isJsonObject(value)) return value;
  const fields = cardTypes.get(type);
  const entries: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    const field = fields?.get(name);
    if (field === undefined) {
      if (how.unknown) entries.push([name, member]);
      continue;
    }
    if (member === null) continue;
    const selected = selectMember(field, member, how);
    if (how.kept[field.presence] || !isDefault(selected)) entries.push([name, selected]);
  }
  return Object.fromEntries(entries);
}

function selectMember({ type, shape }: CardField, member: Json, how: Selection): Json {
  if (type === undefined) return member;
  if (shape === 'list')
    return Array.isArray(member) ? member.map((item: Json) => select(type, item, how)) : member;
  if (shape === 'one') return select(type, member, how);
  if (!isJsonObject(member)) return member;
  return Object.fromEntries(Object.entries(member).map(([key, item]) => [key, select(type, item, how)]));
}

/** Empty strings, lists and objects taken out wherever they are, innermost first, as the first SDKs do. */
function withoutEmpty(value: Json): Json | undefined {
  if (value === '' || value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const kept = withoutEmpty(member);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The JS SDK reads the card twice, which empties its security schemes before they are signed. */
function withoutSchemes(card: JsonObject): JsonObject {
  const { securitySchemes: _, ...rest } = card;
  return rest;
}

/** A way to choose the members that are signed. */
interface Choice {
  readonly name: string;
  choose(card: JsonObject): Json | undefined;
}

const selecting = (name: string, kept: Partial<Kept>, unknown = false): Choice => ({
  name,
  choose: (card) => select('AgentCard', card, { kept: { ...bySpec, ...kept }, unknown }),
});
const nothingKept = { required: false, optional: false } as const;

/** Likeliest first, so that the name of a form that fits is that of what signers really do. */
const choices: readonly Choice[] = [
  selecting('the members of section 8.4.1', {}),
  selecting('the members of section 8.4.1 and unknown ones', {}, true),
  {
    name: 'clean-empty',
    choose: (card) => withoutEmpty(select('AgentCard', card, { kept: bySpec, unknown: false })),
  },
  {
    name: 'clean-empty without security schemes',
    choose: (card) =>
      withoutEmpty(select('AgentCard', withoutSchemes(card), { kept: bySpec, unknown: false })),
  },
  { name: 'clean-empty with unknown members', choose: withoutEmpty },
  selecting('without members at their default, `optional` ones included', { optional: false }),
  selecting('without members at their default, REQUIRED ones included', { required: false }),
  selecting('without any member at its default', nothingKept),
  selecting('every known member as served', { implicit: true }),
  { name: 'every member as served', choose: (card) => card },
];

/** A way to write the chosen members down. */
interface Writing {
  readonly name: string;
  write(value: Json): string | undefined;
}

const byCodePoint = (a: string, b: string): number => {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};

const nonAscii = /[\u007f-\uffff]/g;
const escaped = (text: string): string =>
  JSON.stringify(text).replace(nonAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

interface Spelling {
  readonly comma: string;
  readonly colon: string;
  readonly number: (value: number) => string;
}

/** As Python's `json.dumps` writes with sorted keys: by code point, non-ASCII characters escaped. */
function sortedAscii(value: Json, spelling: Spelling): string {
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return spelling.number(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { comma, colon } = spelling;
  if (Array.isArray(value)) return `[${value.map((item: Json) => sortedAscii(item, spelling)).join(comma)}]`;
  const members = Object.entries(value as JsonObject)
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, member]) => `${escaped(name)}${colon}${sortedAscii(member, spelling)}`);
  return `{${members.join(comma)}}`;
}

const compact: Spelling = { comma: ',', colon: ':', number: String };
const spaced: Spelling = { comma: ', ', colon: ': ', number: String };
/** Numbers of a protobuf Struct are floats, which Python writes with their point. */
const floating: Spelling = {
  ...compact,
  number: (value) => (Number.isSafeInteger(value) ? `${value}.0` : String(value)),
};

const rfc8785: Writing = { name: 'RFC 8785', write: canonicalJson };
const writings: readonly Writing[] = [
  rfc8785,
  { name: 'sorted ASCII', write: (value) => sortedAscii(value, compact) },
  { name: 'sorted ASCII with spaces', write: (value) => sortedAscii(value, spaced) },
  { name: 'sorted ASCII with floats', write: (value) => sortedAscii(value, floating) },
  { name: 'members in the order served', write: (value) => JSON.stringify(value) },
];

/** A payload that a signer may have signed. */
export interface CardForm {
  /** What is signed and how it is written, e.g. `clean-empty, sorted ASCII`. */
  readonly name: string;
  /** Exactly what section 8.4.1 asks for; also with unknown members, of which it says nothing. */
  readonly conforming: boolean;
  /** Written as RFC 8785 has it. */
  readonly rfc8785: boolean;
  /** Some of `signatures` is part of it. */
  readonly withSignatures: boolean;
  /** The chosen members. */
  readonly value: Json;
  readonly payload: string;
}

function withoutSignatures(card: JsonObject): JsonObject {
  const { signatures: _, ...rest } = card;
  return rest;
}

/** The chosen members and, of a signer who forgot to leave them out, the signatures that were there before. */
function* chosen(
  card: JsonObject,
  before: readonly Json[],
): Generator<Pick<CardForm, 'name' | 'withSignatures' | 'value'>> {
  const rest = withoutSignatures(card);
  for (const { name, choose } of choices) yield { name, withSignatures: false, value: choose(rest) ?? {} };
  for (const { name, choose } of choices) {
    const value = choose(rest);
    if (isJsonObject(value))
      yield {
        name: `${name}, with \`signatures\``,
        withSignatures: true,
        value: { ...value, signatures: before },
      };
  }
}

/**
 * The forms in which a signer may have signed a card, likeliest first, each payload once. `before`: the signatures
 * that the card had before this one.
 */
export function* cardForms(card: JsonObject, before: readonly Json[] = []): Generator<CardForm> {
  const seen = new Set<string>();
  const signatures = before.length === 0 ? [[]] : [before, []];
  for (const writing of writings) {
    for (const entries of signatures) {
      for (const choice of chosen(card, entries)) {
        const payload = writing.write(choice.value);
        if (payload === undefined || seen.has(payload)) continue;
        seen.add(payload);
        yield {
          ...choice,
          name: `${choice.name}, ${writing.name}`,
          conforming: writing === rfc8785 && !choice.withSignatures && isSpecChoice(choice.name),
          rfc8785: writing === rfc8785,
          payload,
        };
      }
    }
  }
}

const isSpecChoice = (name: string): boolean => name === choices[0]?.name || name === choices[1]?.name;

/** The canonical payload of section 8.4.1; undefined where there is none. */
export function canonicalCard(card: JsonObject): string | undefined {
  return canonicalJson(select('AgentCard', withoutSignatures(card), { kept: bySpec, unknown: false }));
}
