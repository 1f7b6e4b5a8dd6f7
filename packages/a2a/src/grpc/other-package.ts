import type { DescMessage } from '@bufbuild/protobuf';
import { isJsonObject, type Json } from '@plugfest/model';
import type { JsonBody } from '../decoded.ts';
import { counterpart } from './schemas.ts';
import { isOfOtherPackage } from './unknown.ts';

/**
 * Members without which a message makes no sense, in ProtoJSON names (A2A 1.0 section 5.7; 0.3 section 6). Only what
 * tells the packages apart matters here.
 */
const essential: Readonly<Record<string, readonly string[]>> = {
  'lf.a2a.v1.SendMessageRequest': ['message'],
  'lf.a2a.v1.GetTaskRequest': ['id'],
  'lf.a2a.v1.CancelTaskRequest': ['id'],
  'lf.a2a.v1.SubscribeToTaskRequest': ['id'],
  'lf.a2a.v1.GetTaskPushNotificationConfigRequest': ['taskId', 'id'],
  'lf.a2a.v1.DeleteTaskPushNotificationConfigRequest': ['taskId', 'id'],
  'lf.a2a.v1.TaskPushNotificationConfig': ['url'],
  'lf.a2a.v1.Task': ['id', 'status'],
  'lf.a2a.v1.Message': ['messageId', 'role', 'parts'],
  'lf.a2a.v1.Artifact': ['artifactId', 'parts'],
  'lf.a2a.v1.TaskStatusUpdateEvent': ['taskId', 'contextId', 'status'],
  'lf.a2a.v1.TaskArtifactUpdateEvent': ['taskId', 'contextId', 'artifact'],
  'lf.a2a.v1.AgentCard': ['name', 'supportedInterfaces'],
  'a2a.v1.SendMessageRequest': ['message'],
  'a2a.v1.GetTaskRequest': ['name'],
  'a2a.v1.CancelTaskRequest': ['name'],
  'a2a.v1.TaskSubscriptionRequest': ['name'],
  'a2a.v1.GetTaskPushNotificationConfigRequest': ['name'],
  'a2a.v1.DeleteTaskPushNotificationConfigRequest': ['name'],
  'a2a.v1.TaskPushNotificationConfig': ['name', 'pushNotificationConfig'],
  'a2a.v1.Task': ['id', 'status'],
  'a2a.v1.Message': ['messageId', 'role', 'content'],
  'a2a.v1.Artifact': ['artifactId', 'parts'],
  'a2a.v1.TaskStatusUpdateEvent': ['taskId', 'contextId', 'status'],
  'a2a.v1.TaskArtifactUpdateEvent': ['taskId', 'contextId', 'artifact'],
  'a2a.v1.AgentCard': ['name', 'url'],
};

/** The message, and all in it, has what makes sense of it. */
function isSound(type: DescMessage, value: Json | undefined): boolean {
  if (!isJsonObject(value)) return true;
  for (const name of essential[type.typeName] ?? []) if (value[name] === undefined) return false;
  // In 0.3 what is called a name is a resource's.
  if (type.typeName.startsWith('a2a.v1.') && type.name.endsWith('Request') && 'name' in value)
    if (typeof value.name !== 'string' || !/^tasks?\//.test(value.name)) return false;
  for (const field of type.fields) {
    const inner = field.message;
    const member = value[field.jsonName];
    if (inner === undefined || member === undefined || inner.typeName.startsWith('google.')) continue;
    if (Array.isArray(member)) {
      if (!member.every((item: Json) => isSound(inner, item))) return false;
    } else if (field.fieldKind === 'message' && !isSound(inner, member)) return false;
  }
  return true;
}

const isClean = (type: DescMessage, { state, value, unknownFields = [] }: JsonBody): boolean =>
  state === 'ok' && !unknownFields.some(isOfOtherPackage) && isSound(type, value);

/**
 * Tells a message that was meant for the other package: read by its own definition it makes no sense, read by the
 * other's it does. The numbers of fields moved from 0.3 to 1.0, so what was read of it means nothing.
 */
export function withoutOtherPackage(
  type: DescMessage,
  body: JsonBody,
  readAs: (other: DescMessage) => JsonBody,
): JsonBody {
  if (body.state !== 'invalid' && isSound(type, body.value)) return body;
  const other = counterpart(type);
  if (other === undefined) return body;
  const read = readAs(other);
  if (!isClean(other, read)) return body;
  const { value: _, ...rest } = body;
  return { ...rest, state: 'invalid', problem: `reads as ${other.typeName}`, otherPackage: other.typeName };
}
