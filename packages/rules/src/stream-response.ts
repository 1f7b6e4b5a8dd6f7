import type { JsonObject } from '@plugfest/model';

/** The members of a 1.0 StreamResponse (section 3.2.3), of which exactly one is set. */
export const streamResponseMembers = ['task', 'message', 'statusUpdate', 'artifactUpdate'] as const;

/** The members that are set; `null` counts as absent, as ProtoJSON reads it. */
export function membersOfStreamResponse(value: JsonObject): readonly string[] {
  return streamResponseMembers.filter((member) => value[member] !== undefined && value[member] !== null);
}
