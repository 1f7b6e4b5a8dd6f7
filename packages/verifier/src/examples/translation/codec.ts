import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';

/** Thrown where the example says something that the target dialect has no words for. Never leaves this folder. */
export class Untranslatable extends Error {}

export function untranslatable(what: string): never {
  throw new Untranslatable(what);
}

/** A value of 1.0 in another dialect, and back. Both directions refuse what they do not know. */
export interface Codec {
  to(value: Json): Json;
  from(value: Json): Json;
}

const plain = (name: string, is: (value: Json) => boolean): Codec => {
  const same = (value: Json): Json => (is(value) ? value : untranslatable(`no ${name}`));
  return { to: same, from: same };
};

export const text = plain('text', (value) => typeof value === 'string');
export const flag = plain('boolean', (value) => typeof value === 'boolean');
export const integer = plain('integer', (value) => Number.isSafeInteger(value));
export const anything = plain('value', () => true);
export const struct = plain('object', (value) => isJsonObject(value));
/** What a protobuf timestamp is printed as. */
export const timestamp = plain(
  'timestamp',
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value),
);
export const base64 = plain(
  'base64 text',
  (value) => typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0,
);

export function named(names: Readonly<Record<string, string>>): Codec {
  const back = new Map(Object.entries(names).map(([own, other]) => [other, own]));
  const forth = new Map(Object.entries(names));
  const by = (table: ReadonlyMap<string, string>) => (value: Json) =>
    (typeof value === 'string' ? table.get(value) : undefined) ?? untranslatable(`unknown name ${value}`);
  return { to: by(forth), from: by(back) };
}

export function list(of: Codec): Codec {
  const each = (change: (value: Json) => Json) => (value: Json) =>
    Array.isArray(value) ? value.map((item: Json) => change(item)) : untranslatable('no array');
  return { to: each((item) => of.to(item)), from: each((item) => of.from(item)) };
}

export function map(of: Codec): Codec {
  const each = (change: (value: Json) => Json) => (value: Json) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)]))
      : untranslatable('no map');
  return { to: each((item) => of.to(item)), from: each((item) => of.from(item)) };
}

/** For types that contain each other. */
export const lazily = (get: () => Codec): Codec => ({
  to: (value) => get().to(value),
  from: (value) => get().from(value),
});

/** A member: under its own name, or under another one. */
type Member = Codec | readonly [string, Codec];
export type Members = Readonly<Record<string, Member>>;

/**
 * An object whose members are known; any of them may be missing, as faults are. `constants` are members that only the
 * other dialect has.
 */
export function object(members: Members, constants: JsonObject = {}): Codec {
  const forth = new Map<string, readonly [string, Codec]>();
  const back = new Map<string, readonly [string, Codec]>();
  for (const [own, member] of Object.entries(members)) {
    const [other, codec] = 'to' in member ? [own, member] : member;
    forth.set(own, [other, codec]);
    back.set(other, [own, codec]);
  }
  const renamed = (value: Json, table: typeof forth, change: (codec: Codec, member: Json) => Json) => {
    if (!isJsonObject(value)) return untranslatable('no object');
    const result: Record<string, Json> = {};
    for (const [name, member] of Object.entries(value)) {
      const [other, codec] = table.get(name) ?? untranslatable(`no place for ${name}`);
      result[other] = change(codec, member);
    }
    return result;
  };
  return {
    to: (value) => ({ ...constants, ...renamed(value, forth, (codec, member) => codec.to(member)) }),
    from: (value) => {
      if (!isJsonObject(value)) return untranslatable('no object');
      const rest = { ...value } as Record<string, Json>;
      for (const [name, constant] of Object.entries(constants)) {
        if (rest[name] !== constant) return untranslatable(`${name} is not ${constant}`);
        delete rest[name];
      }
      return renamed(rest, back, (codec, member) => codec.from(member));
    },
  };
}

/** Exactly one of the members, as in a oneof. */
export function oneOf(members: Members): Codec {
  const whole = object(members);
  const sole = (change: (value: Json) => Json) => (value: Json) =>
    isJsonObject(value) && Object.keys(value).length === 1 ? change(value) : untranslatable('not one member');
  return { to: sole(whole.to), from: sole(whole.from) };
}

export const objectOf = (value: Json | undefined): JsonObject =>
  isJsonObject(value) ? value : untranslatable('no object');

export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' && value !== '' ? value : untranslatable('no text');

/** The members that are there. */
export function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  const all: Record<string, Json> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) all[name] = value;
  return all;
}
