/** A member of a protocol object. */
export interface Field {
  /** Name of a message type, or of a scalar: `string`, `bool`, `int32`, `bytes`, `time`, `state`, `role`; or `free` for what is never looked into. */
  readonly type: string;
  readonly shape: 'one' | 'list' | 'map';
  readonly required: boolean;
}

export type MessageType = ReadonlyMap<string, Field>;
/** Message types by name. */
export type Schema = ReadonlyMap<string, MessageType>;

/** Members in short: type, then `[]` or `{}` for lists and maps, then `!` where it is required. */
type Shorthand = Readonly<Record<string, Readonly<Record<string, string>>>>;

function schemaOf(types: Shorthand): Schema {
  return new Map(
    Object.entries(types).map(([name, members]) => [
      name,
      new Map(
        Object.entries(members).map(([member, text]) => {
          const type = text.replace(/(?:\[\]|\{\})?!?$/, '');
          const shape = text.includes('[]') ? 'list' : text.includes('{}') ? 'map' : 'one';
          return [member, { type, shape, required: text.endsWith('!') }];
        }),
      ),
    ]),
  );
}

const metadata = 'free';

/** The messages of A2A 1.0 by their JSON names (specification/a2a.proto, the normative source by section 1.4). */
export const schema10 = schemaOf({
  SendMessageRequest: {
    ...{ tenant: 'string', message: 'Message!', configuration: 'SendMessageConfiguration', metadata },
  },
  SendMessageConfiguration: {
    acceptedOutputModes: 'string[]',
    taskPushNotificationConfig: 'TaskPushNotificationConfig',
    historyLength: 'int32',
    returnImmediately: 'bool',
  },
  GetTaskRequest: { tenant: 'string', id: 'string!', historyLength: 'int32' },
  ListTasksRequest: {
    tenant: 'string',
    contextId: 'string',
    status: 'state',
    pageSize: 'int32',
    pageToken: 'string',
    historyLength: 'int32',
    statusTimestampAfter: 'time',
    includeArtifacts: 'bool',
  },
  CancelTaskRequest: { tenant: 'string', id: 'string!', metadata },
  SubscribeToTaskRequest: { tenant: 'string', id: 'string!' },
  GetTaskPushNotificationConfigRequest: { tenant: 'string', taskId: 'string!', id: 'string!' },
  DeleteTaskPushNotificationConfigRequest: { tenant: 'string', taskId: 'string!', id: 'string!' },
  ListTaskPushNotificationConfigsRequest: {
    ...{ tenant: 'string', taskId: 'string!', pageSize: 'int32', pageToken: 'string' },
  },
  GetExtendedAgentCardRequest: { tenant: 'string' },
  SendMessageResponse: { task: 'Task', message: 'Message' },
  StreamResponse: {
    task: 'Task',
    message: 'Message',
    statusUpdate: 'TaskStatusUpdateEvent',
    artifactUpdate: 'TaskArtifactUpdateEvent',
  },
  // Presence of these members is the subject of the LIST rules.
  ListTasksResponse: { tasks: 'Task[]', nextPageToken: 'string', pageSize: 'int32', totalSize: 'int32' },
  ListTaskPushNotificationConfigsResponse: {
    configs: 'TaskPushNotificationConfig[]',
    nextPageToken: 'string',
  },
  Task: {
    id: 'string!',
    contextId: 'string',
    status: 'TaskStatus!',
    artifacts: 'Artifact[]',
    history: 'Message[]',
    metadata,
  },
  TaskStatus: { state: 'state!', message: 'Message', timestamp: 'time' },
  Message: {
    messageId: 'string!',
    contextId: 'string',
    taskId: 'string',
    role: 'role!',
    parts: 'Part[]!',
    metadata,
    extensions: 'string[]',
    referenceTaskIds: 'string[]',
  },
  Part: {
    ...{ text: 'string', raw: 'bytes', url: 'string', data: 'free' },
    ...{ metadata, filename: 'string', mediaType: 'string' },
  },
  Artifact: {
    artifactId: 'string!',
    name: 'string',
    description: 'string',
    parts: 'Part[]!',
    metadata,
    extensions: 'string[]',
  },
  TaskStatusUpdateEvent: { taskId: 'string!', contextId: 'string!', status: 'TaskStatus!', metadata },
  TaskArtifactUpdateEvent: {
    taskId: 'string!',
    contextId: 'string!',
    artifact: 'Artifact!',
    append: 'bool',
    lastChunk: 'bool',
    metadata,
  },
  TaskPushNotificationConfig: {
    tenant: 'string',
    id: 'string',
    taskId: 'string',
    url: 'string!',
    token: 'string',
    authentication: 'AuthenticationInfo',
  },
  AuthenticationInfo: { scheme: 'string!', credentials: 'string' },
  AgentCard: {
    name: 'string!',
    description: 'string!',
    supportedInterfaces: 'AgentInterface[]!',
    provider: 'AgentProvider',
    version: 'string!',
    documentationUrl: 'string',
    capabilities: 'AgentCapabilities!',
    securitySchemes: 'SecurityScheme{}',
    securityRequirements: 'SecurityRequirement[]',
    defaultInputModes: 'string[]!',
    defaultOutputModes: 'string[]!',
    skills: 'AgentSkill[]!',
    signatures: 'AgentCardSignature[]',
    iconUrl: 'string',
  },
  AgentInterface: {
    url: 'string!',
    protocolBinding: 'string!',
    tenant: 'string',
    protocolVersion: 'string!',
  },
  AgentProvider: { url: 'string!', organization: 'string!' },
  AgentCapabilities: {
    streaming: 'bool',
    pushNotifications: 'bool',
    extensions: 'AgentExtension[]',
    extendedAgentCard: 'bool',
  },
  AgentExtension: { uri: 'string', description: 'string', required: 'bool', params: 'free' },
  AgentSkill: {
    id: 'string!',
    name: 'string!',
    description: 'string!',
    tags: 'string[]!',
    examples: 'string[]',
    inputModes: 'string[]',
    outputModes: 'string[]',
    securityRequirements: 'SecurityRequirement[]',
  },
  AgentCardSignature: { protected: 'string!', signature: 'string!', header: 'free' },
  SecurityRequirement: { schemes: 'StringList{}' },
  StringList: { list: 'string[]' },
  SecurityScheme: {
    apiKeySecurityScheme: 'APIKeySecurityScheme',
    httpAuthSecurityScheme: 'HTTPAuthSecurityScheme',
    oauth2SecurityScheme: 'OAuth2SecurityScheme',
    openIdConnectSecurityScheme: 'OpenIdConnectSecurityScheme',
    mtlsSecurityScheme: 'MutualTlsSecurityScheme',
  },
  APIKeySecurityScheme: { description: 'string', location: 'string!', name: 'string!' },
  HTTPAuthSecurityScheme: { description: 'string', scheme: 'string!', bearerFormat: 'string' },
  OAuth2SecurityScheme: { description: 'string', flows: 'OAuthFlows!', oauth2MetadataUrl: 'string' },
  OpenIdConnectSecurityScheme: { description: 'string', openIdConnectUrl: 'string!' },
  MutualTlsSecurityScheme: { description: 'string' },
  OAuthFlows: {
    authorizationCode: 'OAuthFlow',
    clientCredentials: 'OAuthFlow',
    implicit: 'OAuthFlow',
    password: 'OAuthFlow',
    deviceCode: 'OAuthFlow',
  },
  // One type for the five flows: no rule here asks which members which flow requires.
  OAuthFlow: {
    authorizationUrl: 'string',
    deviceAuthorizationUrl: 'string',
    tokenUrl: 'string',
    refreshUrl: 'string',
    scopes: 'free',
    pkceRequired: 'bool',
  },
});

/** The objects of 0.2 and 0.3 on JSON-RPC (0.3 section 6; the same in 0.2, but for members that came later). */
export const schema03 = schemaOf({
  Task: {
    kind: 'kind!',
    id: 'string!',
    contextId: 'string!',
    status: 'TaskStatus!',
    artifacts: 'Artifact[]',
    history: 'Message[]',
    metadata,
  },
  TaskStatus: { state: 'state!', message: 'Message', timestamp: 'time' },
  Message: {
    kind: 'kind!',
    messageId: 'string!',
    contextId: 'string',
    taskId: 'string',
    role: 'role!',
    parts: 'Part[]!',
    metadata,
    extensions: 'string[]',
    referenceTaskIds: 'string[]',
  },
  Part: { kind: 'kind!', text: 'string', file: 'File', data: 'free', metadata },
  File: { name: 'string', mimeType: 'string', bytes: 'bytes', uri: 'string' },
  Artifact: {
    artifactId: 'string!',
    name: 'string',
    description: 'string',
    parts: 'Part[]!',
    metadata,
    extensions: 'string[]',
  },
  TaskStatusUpdateEvent: {
    kind: 'kind!',
    taskId: 'string!',
    contextId: 'string!',
    status: 'TaskStatus!',
    final: 'bool!',
    metadata,
  },
  TaskArtifactUpdateEvent: {
    kind: 'kind!',
    taskId: 'string!',
    contextId: 'string!',
    artifact: 'Artifact!',
    append: 'bool',
    lastChunk: 'bool',
    metadata,
  },
});

/** The objects of 0.1 (0.1 section 6): no ids on messages and artifacts, parts told apart by `type`. */
export const schema01 = schemaOf({
  Task: {
    id: 'string!',
    sessionId: 'string',
    status: 'TaskStatus!',
    artifacts: 'Artifact[]',
    history: 'Message[]',
    metadata,
  },
  TaskStatus: { state: 'state!', message: 'Message', timestamp: 'time' },
  Message: { role: 'role!', parts: 'Part[]!', metadata },
  Part: { type: 'kind!', text: 'string', file: 'File', data: 'free', metadata },
  File: { name: 'string', mimeType: 'string', bytes: 'bytes', uri: 'string' },
  Artifact: {
    name: 'string',
    description: 'string',
    parts: 'Part[]!',
    index: 'int32',
    append: 'bool',
    lastChunk: 'bool',
    metadata,
  },
  TaskStatusUpdateEvent: { id: 'string!', status: 'TaskStatus!', final: 'bool', metadata },
  TaskArtifactUpdateEvent: { id: 'string!', artifact: 'Artifact!', metadata },
});
