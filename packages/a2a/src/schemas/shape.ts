/** A plain JSON Schema fragment. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A member of a protocol object. */
export interface Field {
  /**
   * Name of an object type of the same schema, or of a scalar: `string`, `bool`, `int32`, `bytes`, `time`, `state`,
   * `role`, `kind`; or `free` for what belongs to users and extensions and is never looked into.
   */
  readonly type: string;
  readonly shape: 'one' | 'list' | 'map';
  readonly required: boolean;
  /** What the wire may hold there, where type and shape do not say it all. */
  readonly json?: JsonSchema;
}

export type MessageType = ReadonlyMap<string, Field>;

/** Object types by name. */
export type Schema = ReadonlyMap<string, MessageType>;

/**
 * Members in short: type, then `[]` or `{}` for lists and maps, then `!` where it is required. `object` and `any` are
 * free-form: an object, or any JSON. A fragment of JSON Schema stands for a free-form member of that form.
 */
export type Shorthand = Readonly<Record<string, Readonly<Record<string, string | JsonSchema>>>>;

const freeForm: Readonly<Record<string, JsonSchema>> = { object: { type: 'object' }, any: {} };

export function schemaOf(types: Shorthand): Schema {
  return new Map(
    Object.entries(types).map(([name, members]) => [
      name,
      new Map(Object.entries(members).map(([member, text]) => [member, fieldOf(text)])),
    ]),
  );
}

function fieldOf(text: string | JsonSchema): Field {
  if (typeof text !== 'string') return { type: 'free', shape: 'one', required: false, json: text };
  const name = text.replace(/(?:\[\]|\{\})?!?$/, '');
  const shape = text.includes('[]') ? 'list' : text.includes('{}') ? 'map' : 'one';
  const required = text.endsWith('!');
  const json = freeForm[name];
  return json === undefined ? { type: name, shape, required } : { type: 'free', shape, required, json };
}

/** All that is said of the wire objects of one version. */
export interface ProtocolSchema {
  readonly version: '0.1' | '0.2' | '0.3' | '1.0';
  /** Where the specification defines these objects. */
  readonly section: string;
  readonly types: Schema;
  /** Names of states and roles. */
  readonly states: readonly string[];
  readonly roles: readonly string[];
  /** By type, what its discriminator is called and may say. */
  readonly kinds: Readonly<Record<string, { readonly member: string; readonly values: readonly string[] }>>;
  /** By type, a fragment that goes beyond its members, e.g. that exactly one of some is set. */
  readonly constraints: Readonly<Record<string, JsonSchema>>;
  /** Required lists may not be empty, but for these, as `Type.member`. Undefined: they may be. */
  readonly emptyLists: ReadonlySet<string> | undefined;
  /** By JSON-RPC method, the types of `params` and `result`; more than one where either may stand there. */
  readonly methods: Readonly<Record<string, MethodTypes>>;
}

export interface MethodTypes {
  readonly params: string | undefined;
  /** Undefined: any value, or `null`. `Type[]`: a bare list. */
  readonly result: readonly string[] | undefined;
}

/** Exactly one of these members is set. */
export const oneOfMembers = (...names: readonly string[]): JsonSchema => ({
  oneOf: names.map((name) => ({ required: [name] })),
});
