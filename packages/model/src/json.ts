export type JsonPrimitive = string | number | boolean | null;
export type Json = JsonPrimitive | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

/** True for a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
