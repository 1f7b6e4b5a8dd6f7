import { type ProtocolSchema, schemaOf } from './shape.ts';

const metadata = 'object';
/** Scopes by scheme name; one of the objects is to be satisfied (OpenAPI 3.0). */
const security = {
  type: 'array',
  items: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
} as const;
const scopes = { type: 'object', additionalProperties: { type: 'string' } } as const;

/** The objects of 0.3 on JSON-RPC (section 6; cards: 5.5). */
export const schema03: ProtocolSchema = {
  version: '0.3',
  section: '6',
  types: schemaOf({
    MessageSendParams: { message: 'Message!', configuration: 'MessageSendConfiguration', metadata },
    MessageSendConfiguration: {
      acceptedOutputModes: 'string[]',
      blocking: 'bool',
      historyLength: 'int32',
      pushNotificationConfig: 'PushNotificationConfig',
    },
    TaskIdParams: { id: 'string!', metadata },
    TaskQueryParams: { id: 'string!', historyLength: 'int32', metadata },
    GetTaskPushNotificationConfigParams: { id: 'string!', pushNotificationConfigId: 'string', metadata },
    ListTaskPushNotificationConfigParams: { id: 'string!', metadata },
    DeleteTaskPushNotificationConfigParams: { id: 'string!', pushNotificationConfigId: 'string!', metadata },
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
    Part: { kind: 'kind!', text: 'string', file: 'File', data: 'object', metadata },
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
    TaskPushNotificationConfig: { taskId: 'string!', pushNotificationConfig: 'PushNotificationConfig!' },
    PushNotificationConfig: {
      id: 'string',
      url: 'string!',
      token: 'string',
      authentication: 'PushNotificationAuthenticationInfo',
    },
    PushNotificationAuthenticationInfo: { schemes: 'string[]!', credentials: 'string' },
    AgentCard: {
      protocolVersion: 'string!',
      name: 'string!',
      description: 'string!',
      url: 'string!',
      preferredTransport: 'string',
      additionalInterfaces: 'AgentInterface[]',
      iconUrl: 'string',
      provider: 'AgentProvider',
      version: 'string!',
      documentationUrl: 'string',
      capabilities: 'AgentCapabilities!',
      securitySchemes: 'SecurityScheme{}',
      security,
      defaultInputModes: 'string[]!',
      defaultOutputModes: 'string[]!',
      skills: 'AgentSkill[]!',
      supportsAuthenticatedExtendedCard: 'bool',
      signatures: 'AgentCardSignature[]',
    },
    AgentInterface: { url: 'string!', transport: 'string!' },
    AgentProvider: { organization: 'string!', url: 'string!' },
    AgentCapabilities: {
      streaming: 'bool',
      pushNotifications: 'bool',
      stateTransitionHistory: 'bool',
      extensions: 'AgentExtension[]',
    },
    AgentExtension: { uri: 'string!', description: 'string', required: 'bool', params: 'object' },
    AgentSkill: {
      id: 'string!',
      name: 'string!',
      description: 'string!',
      tags: 'string[]!',
      examples: 'string[]',
      inputModes: 'string[]',
      outputModes: 'string[]',
      security,
    },
    AgentCardSignature: { protected: 'string!', signature: 'string!', header: 'object' },
    // One type for the five schemes: `constraints` has what each requires.
    SecurityScheme: {
      type: 'kind!',
      description: 'string',
      name: 'string',
      in: 'string',
      scheme: 'string',
      bearerFormat: 'string',
      flows: 'OAuthFlows',
      openIdConnectUrl: 'string',
      oauth2MetadataUrl: 'string',
    },
    OAuthFlows: {
      authorizationCode: 'OAuthFlow',
      clientCredentials: 'OAuthFlow',
      implicit: 'OAuthFlow',
      password: 'OAuthFlow',
    },
    OAuthFlow: { authorizationUrl: 'string', tokenUrl: 'string', refreshUrl: 'string', scopes },
    // Section 6.12.
    JSONRPCError: { code: 'int32!', message: 'string!', data: 'any' },
  }),
  states: [
    ...['submitted', 'working', 'input-required', 'completed', 'canceled', 'failed', 'rejected'],
    ...['auth-required', 'unknown'],
  ],
  roles: ['user', 'agent'],
  kinds: {
    Task: { member: 'kind', values: ['task'] },
    Message: { member: 'kind', values: ['message'] },
    TaskStatusUpdateEvent: { member: 'kind', values: ['status-update'] },
    TaskArtifactUpdateEvent: { member: 'kind', values: ['artifact-update'] },
    Part: { member: 'kind', values: ['text', 'file', 'data'] },
    SecurityScheme: {
      member: 'type',
      values: ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'],
    },
  },
  constraints: {
    Part: {
      oneOf: ['text', 'file', 'data'].map((kind) => ({
        properties: { kind: { const: kind } },
        required: [kind],
      })),
    },
    File: { oneOf: [{ required: ['bytes'] }, { required: ['uri'] }] },
    SecurityScheme: {
      oneOf: [
        {
          properties: { type: { const: 'apiKey' }, in: { enum: ['cookie', 'header', 'query'] } },
          required: ['name', 'in'],
        },
        { properties: { type: { const: 'http' } }, required: ['scheme'] },
        { properties: { type: { const: 'oauth2' } }, required: ['flows'] },
        { properties: { type: { const: 'openIdConnect' } }, required: ['openIdConnectUrl'] },
        { properties: { type: { const: 'mutualTLS' } } },
      ],
    },
  },
  emptyLists: undefined,
  methods: {
    'message/send': { params: 'MessageSendParams', result: ['Task', 'Message'] },
    'message/stream': {
      params: 'MessageSendParams',
      result: ['Task', 'Message', 'TaskStatusUpdateEvent', 'TaskArtifactUpdateEvent'],
    },
    'tasks/get': { params: 'TaskQueryParams', result: ['Task'] },
    'tasks/cancel': { params: 'TaskIdParams', result: ['Task'] },
    'tasks/resubscribe': {
      params: 'TaskIdParams',
      result: ['Task', 'Message', 'TaskStatusUpdateEvent', 'TaskArtifactUpdateEvent'],
    },
    'tasks/pushNotificationConfig/set': {
      params: 'TaskPushNotificationConfig',
      result: ['TaskPushNotificationConfig'],
    },
    'tasks/pushNotificationConfig/get': {
      params: 'GetTaskPushNotificationConfigParams',
      result: ['TaskPushNotificationConfig'],
    },
    'tasks/pushNotificationConfig/list': {
      params: 'ListTaskPushNotificationConfigParams',
      result: ['TaskPushNotificationConfig[]'],
    },
    'tasks/pushNotificationConfig/delete': {
      params: 'DeleteTaskPushNotificationConfigParams',
      result: undefined,
    },
    'agent/getAuthenticatedExtendedCard': { params: undefined, result: ['AgentCard'] },
  },
};
