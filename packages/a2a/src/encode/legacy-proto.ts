import { isJsonObject, type Json, type JsonObject, type Operation } from '@plugfest/model';
import { canonicalRole } from '../states.ts';
import { given } from './given.ts';

/** A 1.0 part as the proto of 0.3 has it: file and data in messages of their own. */
function protoPart(part: Json): Json {
  if (!isJsonObject(part)) return part;
  const { text, raw, url, data, filename, mediaType, ...others } = part;
  if (text !== undefined) return { text, ...others };
  if (raw !== undefined || url !== undefined) {
    const file = given({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType, name: filename });
    return { file, ...others };
  }
  // Its data is a Struct; another value needs a member to live in.
  if (data !== undefined) return { data: { data: isJsonObject(data) ? data : { value: data } }, ...others };
  return part;
}

/** A 1.0 message as the proto of 0.3 has it, where nothing refers to other tasks. */
function protoMessage(message: Json): Json {
  if (!isJsonObject(message)) return message;
  const { parts, role, referenceTaskIds: _references, ...others } = message;
  return given({
    ...others,
    role: canonicalRole(role) ?? role,
    content: Array.isArray(parts) ? parts.map(protoPart) : parts,
  });
}

function protoPushConfig({ id, url, token, authentication }: JsonObject): JsonObject {
  const { scheme, credentials } = isJsonObject(authentication) ? authentication : {};
  return given({
    id,
    url,
    token,
    authentication: isJsonObject(authentication)
      ? given({ schemes: scheme === undefined ? undefined : [scheme], credentials })
      : authentication,
  });
}

function protoSend(params: JsonObject, streaming: boolean): JsonObject {
  const { message, configuration, tenant: _tenant, ...others } = params;
  const settings = isJsonObject(configuration) ? configuration : {};
  const { taskPushNotificationConfig: config, returnImmediately, ...kept } = settings;
  const legacy = given({
    ...kept,
    // Sends block by default in 1.0 and do not in 0.3; a stream has no use for it.
    blocking: streaming ? undefined : returnImmediately !== true,
    pushNotification: isJsonObject(config) ? protoPushConfig(config) : config,
  });
  return given({
    message: message === undefined ? undefined : protoMessage(message),
    configuration: Object.keys(legacy).length === 0 ? undefined : legacy,
    ...others,
  });
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const taskName = (id: Json | undefined): string => `tasks/${text(id)}`;
const configName = ({ taskId, id }: JsonObject): string =>
  `${taskName(taskId)}/pushNotificationConfigs/${text(id)}`;

/**
 * Params of a call in their 1.0 form as ProtoJSON of the request message that 0.3's `a2a.proto` has for it: what gRPC
 * carries and HTTP+JSON transcodes (0.3 sections 3.2.2 and 3.2.3).
 */
export function legacyProtoParams(operation: Operation, params: JsonObject): JsonObject {
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return protoSend(params, operation === 'SendStreamingMessage');
    case 'GetTask':
      return given({ name: taskName(params.id), historyLength: params.historyLength });
    case 'CancelTask':
    case 'SubscribeToTask':
      return { name: taskName(params.id) };
    case 'CreateTaskPushNotificationConfig':
      return given({
        parent: taskName(params.taskId),
        configId: params.id,
        config: { name: configName(params), pushNotificationConfig: protoPushConfig(params) },
      });
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      return { name: configName(params) };
    case 'ListTaskPushNotificationConfigs':
      return { parent: taskName(params.taskId) };
    case 'GetExtendedAgentCard':
    case 'ListTasks':
      return {};
  }
}
