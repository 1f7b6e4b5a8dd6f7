import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';

/** The member if it is a string. */
export function text(value: JsonObject, name: string): string | undefined {
  const member = value[name];
  return typeof member === 'string' ? member : undefined;
}

/** The member under its JSON name, or under the proto's, which parsers must take too (A2A 1.0 section 5.5). */
export function idText(value: JsonObject, name: string, protoName: string): string | undefined {
  return text(value, name) ?? text(value, protoName);
}

/** The member if it is an object. */
export function object(value: JsonObject, name: string): JsonObject | undefined {
  const member = value[name];
  return isJsonObject(member) ? member : undefined;
}

/** The member if it is an array. */
export function list(value: JsonObject, name: string): readonly Json[] | undefined {
  const member = value[name];
  return Array.isArray(member) ? member : undefined;
}

/** The strings of an array member; empty where there is none. */
export function texts(value: JsonObject, name: string): readonly string[] {
  const member = value[name];
  return Array.isArray(member) ? member.filter((item) => typeof item === 'string') : noTexts;
}

const noTexts: readonly string[] = [];
