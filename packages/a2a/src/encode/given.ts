import type { Json, JsonObject } from '@plugfest/model';

/** The members that are given, without those that are undefined. */
export function given(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
