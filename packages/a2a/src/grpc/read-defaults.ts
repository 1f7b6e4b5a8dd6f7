import type { DescMessage } from '@bufbuild/protobuf';
import { isJsonObject, type Json } from '@plugfest/model';

/**
 * A page of tasks has members that have to be there even where they are empty (A2A 1.0 section 3.1.4). Protobuf does
 * not send what is empty, and every reader sees zero: so does Plugfest.
 */
export function withReadDefaults(type: DescMessage, value: Json): Json {
  if (type.typeName !== 'lf.a2a.v1.ListTasksResponse' || !isJsonObject(value)) return value;
  return { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0, ...value };
}
