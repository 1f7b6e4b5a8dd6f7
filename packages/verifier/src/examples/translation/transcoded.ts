import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import {
  base64,
  type Codec,
  flag,
  list,
  named,
  object,
  objectOf,
  oneOf,
  present,
  struct,
  text,
  textOf,
  timestamp,
  untranslatable,
} from './codec.ts';
import { isLast } from './legacy.ts';
import { states } from './objects.ts';

/** 0.3 objects as its proto prints them: over gRPC, and over HTTP+JSON, which is transcoded from it. */
const state = named(
  Object.fromEntries(
    states.map((name) => [`TASK_STATE_${name}`, `TASK_STATE_${name === 'CANCELED' ? 'CANCELLED' : name}`]),
  ),
);
const role = named({ ROLE_USER: 'ROLE_USER', ROLE_AGENT: 'ROLE_AGENT' });

/** 0.3 parts have neither metadata nor, for text and data, a media type or a name. */
const part: Codec = {
  to(value) {
    const content = objectOf(value);
    const names = Object.keys(content);
    if ('text' in content && names.length === 1) return { text: text.to(content.text ?? null) };
    if ('data' in content && names.length === 1) return { data: { data: objectOf(content.data) } };
    const { raw, url, mediaType, ...others } = content;
    if (Object.keys(others).length > 0) return untranslatable('a file with a name or metadata');
    if ((raw === undefined) === (url === undefined)) return untranslatable('not one content');
    if (raw !== undefined) base64.to(raw);
    return { file: present({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType }) };
  },
  from: () => untranslatable('only written'),
};
const message = object({
  messageId: text,
  contextId: text,
  taskId: text,
  role,
  parts: ['content', list(part)],
  metadata: struct,
  extensions: list(text),
});
const artifact = object({
  artifactId: text,
  name: text,
  description: text,
  parts: list(part),
  metadata: struct,
  extensions: list(text),
});
const status = object({ state, message, timestamp });
const task = object({
  id: text,
  contextId: text,
  status,
  artifacts: list(artifact),
  history: list(message),
  metadata: struct,
});
const statusEvent = object({ taskId: text, contextId: text, status, metadata: struct });
const statusUpdate: Codec = {
  to: (value) => ({ ...objectOf(statusEvent.to(value)), final: isLast(objectOf(value)) }),
  from: () => untranslatable('only written'),
};
const artifactUpdate = object({
  taskId: text,
  contextId: text,
  artifact,
  append: flag,
  lastChunk: flag,
  metadata: struct,
});
const payload = oneOf({ task, message, statusUpdate, artifactUpdate });

function innerConfig(value: Json): JsonObject {
  const { taskId: _inTheName, tenant, authentication, ...config } = objectOf(value);
  if (tenant !== undefined) untranslatable('0.3 has no tenants');
  const { scheme, credentials, ...others } = isJsonObject(authentication) ? authentication : {};
  if (Object.keys(others).length > 0) untranslatable('authentication with more members');
  return present({
    ...config,
    authentication:
      authentication === undefined
        ? undefined
        : present({ schemes: scheme === undefined ? undefined : [scheme], credentials }),
  });
}

const configName = (config: JsonObject): string =>
  `tasks/${textOf(config.taskId)}/pushNotificationConfigs/${textOf(config.id)}`;
const taskConfig = (value: Json): JsonObject => ({
  name: configName(objectOf(value)),
  pushNotificationConfig: innerConfig(value),
});

const only = (params: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.keys(params).every((name) => names.includes(name)) ? params : untranslatable('params 0.3 has not');

function send(
  { message: sent, configuration, metadata, ...others }: JsonObject,
  streamed: boolean,
): JsonObject {
  if (Object.keys(others).length > 0) return untranslatable('params that 0.3 has not');
  const { returnImmediately, taskPushNotificationConfig: config, ...kept } = objectOf(configuration ?? {});
  return present({
    message: sent === undefined ? undefined : message.to(sent),
    configuration: present({
      ...kept,
      pushNotification: config === undefined ? undefined : innerConfig(config),
      blocking: streamed || returnImmediately === true ? undefined : true,
    }),
    metadata,
  });
}

/** The request message of the 0.3 proto, with the resource names that it has in place of ids. */
export function transcodedParams(operation: string, params: JsonObject): JsonObject {
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return send(params, operation === 'SendStreamingMessage');
    case 'GetTask':
      return present({
        name: `tasks/${textOf(only(params, 'id', 'historyLength').id)}`,
        historyLength: params.historyLength,
      });
    case 'CancelTask':
    case 'SubscribeToTask':
      return { name: `tasks/${textOf(only(params, 'id').id)}` };
    case 'CreateTaskPushNotificationConfig': {
      const config = taskConfig({ ...params, id: params.id ?? 'config-1' });
      return { parent: `tasks/${textOf(params.taskId)}`, configId: params.id ?? 'config-1', config };
    }
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      return { name: configName(only(params, 'taskId', 'id')) };
    case 'ListTaskPushNotificationConfigs':
      return { parent: `tasks/${textOf(only(params, 'taskId').taskId)}` };
    default:
      return untranslatable(`0.3 has no ${operation}`);
  }
}

/** The response message of the 0.3 proto; cards are translated apart. */
export function transcodedResult(operation: string, value: Json | undefined): Json {
  switch (operation) {
    case 'SendMessage':
      return payload.to(value ?? null);
    case 'GetTask':
    case 'CancelTask':
      return task.to(value ?? null);
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      return taskConfig(value ?? null);
    case 'ListTaskPushNotificationConfigs': {
      const { configs, nextPageToken } = objectOf(value);
      if (!Array.isArray(configs)) return untranslatable('no configs');
      return present({ configs: configs.map((each: Json) => taskConfig(each)), nextPageToken });
    }
    case 'DeleteTaskPushNotificationConfig':
      return {};
    default:
      return untranslatable(`0.3 has no ${operation}`);
  }
}

export const transcodedEvent = (value: JsonObject): JsonObject => objectOf(payload.to(value));
