import { isJsonObject, type Json, type JsonObject, type Operation } from '@plugfest/model';
import { canonicalRole, canonicalState, legacyRole, legacyState } from '../states.ts';
import { given } from './given.ts';

/** A 1.0 part as 0.3 (0.3 section 6.5). What has no content member passes as it is: probes need it. */
function legacyPart(part: Json): Json {
  if (!isJsonObject(part)) return part;
  const { text, raw, url, data, filename, mediaType, ...others } = part;
  if (text !== undefined) return { kind: 'text', text, ...others };
  if (raw !== undefined || url !== undefined) {
    const file = given({ name: filename, mimeType: mediaType, bytes: raw, uri: url });
    return { kind: 'file', file, ...others };
  }
  // 0.3 data is an object; another value needs a member to live in.
  if (data !== undefined)
    return { kind: 'data', data: isJsonObject(data) ? data : { value: data }, ...others };
  return part;
}

/** A 1.0 message as 0.3 (0.3 section 6.4). */
function legacyMessage(message: Json): Json {
  if (!isJsonObject(message)) return message;
  const role = canonicalRole(message.role);
  const { parts } = message;
  return {
    kind: 'message',
    ...message,
    ...(role === undefined ? {} : { role: legacyRole(role) }),
    ...(Array.isArray(parts) ? { parts: parts.map(legacyPart) } : {}),
  };
}

/** A flat 1.0 push configuration as 0.3's inner one (0.3 section 6.8). */
function legacyPushConfig(config: JsonObject): JsonObject {
  const { authentication } = config;
  return given({
    id: config.id,
    url: config.url,
    token: config.token,
    authentication: isJsonObject(authentication)
      ? given({
          schemes: authentication.scheme === undefined ? undefined : [authentication.scheme],
          credentials: authentication.credentials,
        })
      : authentication,
  });
}

function legacySend(params: JsonObject, streaming: boolean): JsonObject {
  const { message, configuration, tenant: _tenant, ...others } = params;
  const settings = isJsonObject(configuration) ? configuration : {};
  const { taskPushNotificationConfig: config, returnImmediately, ...kept } = settings;
  const legacy = given({
    ...kept,
    // Sends block by default in 1.0 and do not in 0.3; a stream has no use for it.
    blocking: streaming ? undefined : returnImmediately !== true,
    pushNotificationConfig: isJsonObject(config) ? legacyPushConfig(config) : config,
  });
  return given({
    message: message === undefined ? undefined : legacyMessage(message),
    configuration: Object.keys(legacy).length === 0 ? undefined : legacy,
    ...others,
  });
}

/** Params of a call in their 1.0 form as 0.3 JSON-RPC wants them (0.3 section 7). */
export function legacyParams(operation: Operation, params: JsonObject): JsonObject | undefined {
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return legacySend(params, operation === 'SendStreamingMessage');
    case 'CreateTaskPushNotificationConfig':
      return given({ taskId: params.taskId, pushNotificationConfig: legacyPushConfig(params) });
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      return given({ id: params.taskId, pushNotificationConfigId: params.id });
    case 'ListTaskPushNotificationConfigs':
      return given({ id: params.taskId });
    case 'GetExtendedAgentCard':
      return undefined;
    default: {
      const { tenant: _tenant, status, ...others } = params;
      const state = canonicalState(status);
      return given({ ...others, status: state === undefined ? status : legacyState(state) });
    }
  }
}
