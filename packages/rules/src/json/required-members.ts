import { camelCase, type TypedObject } from './documents.ts';
import { type Schema, schema03, schema10 } from './schema.ts';

/** Names of the required members by type. The discriminators of 0.x are the subject of JSON-026 and JSON-027. */
const requiredIn = (schema: Schema): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...schema].map(([type, fields]) => [
      type,
      [...fields].flatMap(([name, field]) => (field.required && field.type !== 'kind' ? [name] : [])),
    ]),
  );

/** Members that the proto of 1.0 marks as REQUIRED (section 5.7), by type. */
export const required10 = requiredIn(schema10);
/** Members that the types of 0.2 and 0.3 require, by type. */
export const required03 = requiredIn(schema03);

/**
 * A member is not there; `null` counts as absent. Readers of 1.0 take the spelling of the proto as well (JSON-001 is
 * about it); to those of older versions over JSON-RPC it is another member.
 */
export const isMissing = (
  { value }: TypedObject,
  name: string,
  spelling: 'any' | 'exact' = 'any',
): boolean => {
  let found = value[name];
  if (spelling === 'any') found ??= Object.entries(value).find(([member]) => camelCase(member) === name)?.[1];
  return found === undefined || found === null;
};
