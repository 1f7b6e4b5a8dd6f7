import { isJsonObject, type Json } from '@plugfest/model';
import {
  anything,
  base64,
  type Codec,
  flag,
  integer,
  lazily,
  list,
  map,
  named,
  object,
  oneOf,
  struct,
  text,
  timestamp,
} from './codec.ts';

const itself = (...names: readonly string[]): Codec => named(Object.fromEntries(names.map((n) => [n, n])));

/** Names of the states without their prefix; UNSPECIFIED is not one that protobuf prints. */
export const states = [
  ...['SUBMITTED', 'WORKING', 'COMPLETED', 'FAILED', 'CANCELED', 'INPUT_REQUIRED', 'REJECTED'],
  'AUTH_REQUIRED',
] as const;

const state = itself(...states.map((name) => `TASK_STATE_${name}`));
const role = itself('ROLE_USER', 'ROLE_AGENT');

const part: Codec = (() => {
  const more = { metadata: struct, filename: text, mediaType: text };
  const content = { text, raw: base64, url: text, data: anything };
  const whole = object({ ...content, ...more });
  const checked = (value: Json): Json => {
    if (isJsonObject(value)) {
      const own = Object.fromEntries(Object.entries(value).filter(([name]) => !(name in more)));
      oneOf(content).to(own);
    }
    return whole.to(value);
  };
  return { to: checked, from: checked };
})();

const message = object({
  messageId: text,
  contextId: text,
  taskId: text,
  role,
  parts: list(part),
  metadata: struct,
  extensions: list(text),
  referenceTaskIds: list(text),
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
const statusUpdate = object({ taskId: text, contextId: text, status, metadata: struct });
const artifactUpdate = object({
  taskId: text,
  contextId: text,
  artifact,
  append: flag,
  lastChunk: flag,
  metadata: struct,
});
const pushConfig = object({
  tenant: text,
  id: text,
  taskId: text,
  url: text,
  token: text,
  authentication: object({ scheme: text, credentials: text }),
});
const sendParams = object({
  tenant: text,
  message,
  configuration: object({
    acceptedOutputModes: list(text),
    taskPushNotificationConfig: pushConfig,
    historyLength: integer,
    returnImmediately: flag,
  }),
  metadata: struct,
});

const flows = object({
  authorizationCode: object({
    authorizationUrl: text,
    tokenUrl: text,
    refreshUrl: text,
    scopes: map(text),
    pkceRequired: flag,
  }),
  clientCredentials: object({ tokenUrl: text, refreshUrl: text, scopes: map(text) }),
  implicit: object({ authorizationUrl: text, refreshUrl: text, scopes: map(text) }),
  password: object({ tokenUrl: text, refreshUrl: text, scopes: map(text) }),
  deviceCode: object({ deviceAuthorizationUrl: text, tokenUrl: text, refreshUrl: text, scopes: map(text) }),
});
const requirements = list(object({ schemes: map(object({ list: list(text) })) }));
const card = object({
  name: text,
  description: text,
  supportedInterfaces: list(
    object({ url: text, protocolBinding: text, protocolVersion: text, tenant: text }),
  ),
  provider: object({ url: text, organization: text }),
  version: text,
  documentationUrl: text,
  capabilities: object({
    streaming: flag,
    pushNotifications: flag,
    extendedAgentCard: flag,
    extensions: list(object({ uri: text, description: text, required: flag, params: struct })),
  }),
  securitySchemes: map(
    oneOf({
      apiKeySecurityScheme: object({ description: text, location: text, name: text }),
      httpAuthSecurityScheme: object({ description: text, scheme: text, bearerFormat: text }),
      oauth2SecurityScheme: object({ description: text, flows, oauth2MetadataUrl: text }),
      openIdConnectSecurityScheme: object({ description: text, openIdConnectUrl: text }),
      mtlsSecurityScheme: object({ description: text }),
    }),
  ),
  securityRequirements: requirements,
  defaultInputModes: list(text),
  defaultOutputModes: list(text),
  skills: list(
    object({
      id: text,
      name: text,
      description: text,
      tags: list(text),
      examples: list(text),
      inputModes: list(text),
      outputModes: list(text),
      securityRequirements: requirements,
    }),
  ),
  signatures: list(object({ protected: text, signature: text, header: struct })),
  iconUrl: text,
});

const configQuery = object({ tenant: text, taskId: text, id: text });
const streamResponse = oneOf({ task, message: lazily(() => message), statusUpdate, artifactUpdate });

/** The messages of the 1.0 proto that calls carry, by operation (A2A 1.0 section 10 and its proto). */
export const proto = {
  streamResponse,
  request: {
    SendMessage: sendParams,
    SendStreamingMessage: sendParams,
    GetTask: object({ tenant: text, id: text, historyLength: integer }),
    ListTasks: object({
      tenant: text,
      contextId: text,
      status: state,
      pageSize: integer,
      pageToken: text,
      historyLength: integer,
      statusTimestampAfter: timestamp,
      includeArtifacts: flag,
    }),
    CancelTask: object({ tenant: text, id: text, metadata: struct }),
    SubscribeToTask: object({ tenant: text, id: text }),
    CreateTaskPushNotificationConfig: pushConfig,
    GetTaskPushNotificationConfig: configQuery,
    DeleteTaskPushNotificationConfig: configQuery,
    ListTaskPushNotificationConfigs: object({
      tenant: text,
      taskId: text,
      pageSize: integer,
      pageToken: text,
    }),
    GetExtendedAgentCard: object({ tenant: text }),
  },
  response: {
    SendMessage: oneOf({ task, message }),
    SendStreamingMessage: streamResponse,
    GetTask: task,
    ListTasks: object({ tasks: list(task), nextPageToken: text, pageSize: integer, totalSize: integer }),
    CancelTask: task,
    SubscribeToTask: streamResponse,
    CreateTaskPushNotificationConfig: pushConfig,
    GetTaskPushNotificationConfig: pushConfig,
    DeleteTaskPushNotificationConfig: object({}),
    ListTaskPushNotificationConfigs: object({ configs: list(pushConfig), nextPageToken: text }),
    GetExtendedAgentCard: card,
  },
} as const;

/** Fields with explicit presence: their defaults are printed (the proto's `optional`). */
const explicit: ReadonlySet<string> = new Set([
  ...['historyLength', 'pageSize', 'includeArtifacts', 'documentationUrl', 'iconUrl'],
  ...['streaming', 'pushNotifications', 'extendedAgentCard', 'text', 'url', 'raw'],
]);
const free: ReadonlySet<string> = new Set(['metadata', 'data', 'params', 'header']);

/** What a protobuf printer writes of a message: implicit fields with their default are left out. */
export function asPrinted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => asPrinted(item));
  if (!isJsonObject(value)) return value;
  const printed: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    if (free.has(name)) printed[name] = member;
    else if (explicit.has(name) || !isDefault(member)) printed[name] = asPrinted(member);
  }
  return printed;
}

const isDefault = (value: Json): boolean =>
  value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
