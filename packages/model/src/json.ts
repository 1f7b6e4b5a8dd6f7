export type JsonPrimitive = string | number | boolean | null;

/** What JSON can hold (RFC 8259). Numbers are doubles: what had more digits is no longer told. */
export type Json = JsonPrimitive | readonly Json[] | JsonObject;

/** Members by name. It may come from anybody: no member has to be there. */
export interface JsonObject {
  readonly [member: string]: Json;
}

/** True for a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
