import type { Json, JsonObject } from '@plugfest/model';
import { v1 } from '@plugfest/verifier/examples';

/** The task `task-N` of a list, for examples: without artifacts, and the older the higher its number. */
export function listedTask(number: number, more: Readonly<Record<string, Json>> = {}): JsonObject {
  const timestamp = new Date(Date.UTC(2026, 0, 1, 1) - number * 1000).toISOString();
  const status = v1.status('COMPLETED', { timestamp });
  return v1.task('COMPLETED', { id: `task-${number}`, status, artifacts: undefined, ...more });
}

/** A whole and last page of a List Tasks response, for examples. A member given as undefined is left out. */
export function listPage(
  tasks: readonly Json[],
  more: Readonly<Record<string, Json | undefined>> = {},
): JsonObject {
  const members = { tasks, nextPageToken: '', pageSize: 50, totalSize: tasks.length, ...more };
  const given: Record<string, Json> = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) given[name] = value;
  return given;
}
