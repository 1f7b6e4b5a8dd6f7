import type { JsonObject, Operation } from '@plugfest/model';
import type { DriveCall, DriveConfiguration, DriveMessage, DrivePush } from '../driver/drive.ts';

/** A drive call as the operation's 1.0 request message (A2A 1.0 section 3.1). */
export function operationOf(call: Exclude<DriveCall, { op: 'GetAgentCard' }>): {
  readonly operation: Operation;
  readonly params: JsonObject;
} {
  switch (call.op) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return { operation: call.op, params: sendParams(call.message, call.configuration) };
    case 'GetTask':
      return { operation: call.op, params: given({ id: call.taskId, historyLength: call.historyLength }) };
    case 'CancelTask':
    case 'SubscribeToTask':
      return { operation: call.op, params: { id: call.taskId } };
    case 'CreateTaskPushNotificationConfig':
      return { operation: call.op, params: { taskId: call.taskId, ...pushParams(call.push) } };
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      return { operation: call.op, params: { taskId: call.taskId, id: call.configId } };
    case 'ListTaskPushNotificationConfigs':
      return { operation: call.op, params: { taskId: call.taskId } };
    case 'ListTasks': {
      const { op, ...params } = call;
      return { operation: op, params: given(params) };
    }
    case 'GetExtendedAgentCard':
      return { operation: call.op, params: {} };
  }
}

function sendParams(message: DriveMessage, configuration: DriveConfiguration | undefined): JsonObject {
  const { text, data, parts: more = [], ...ids } = message;
  const parts: JsonObject[] = [];
  if (text !== undefined) parts.push({ text });
  if (data !== undefined) parts.push({ data });
  parts.push(...more.map(given));
  const sent = { role: 'ROLE_USER', ...given(ids), parts };
  if (!configuration) return { message: sent };
  const { push, ...settings } = configuration;
  const config = push ? { taskPushNotificationConfig: pushParams(push) } : {};
  return { message: sent, configuration: { ...given(settings), ...config } };
}

function pushParams({ url, id, token, authentication }: DrivePush): JsonObject {
  return given({ url, id, token, authentication: authentication ? given(authentication) : undefined });
}

/** The members that have a value. */
function given(members: object): JsonObject {
  return JSON.parse(JSON.stringify(members)) as JsonObject;
}
