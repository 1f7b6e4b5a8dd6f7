import { type ProtocolSchema, schemaOf } from './shape.ts';

const metadata = 'object';

/** The objects of 0.1 (section 6; cards: 5.5): no ids on messages and artifacts, parts told apart by `type`. */
export const schema01: ProtocolSchema = {
  version: '0.1',
  section: '6',
  types: schemaOf({
    TaskSendParams: {
      id: 'string!',
      sessionId: 'string',
      message: 'Message!',
      pushNotification: 'PushNotificationConfig',
      historyLength: 'int32',
      metadata,
    },
    TaskIdParams: { id: 'string!', metadata },
    TaskQueryParams: { id: 'string!', historyLength: 'int32', metadata },
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
    // `data` of a part is an object in the schema, and a list as well in section 6.5.3.
    Part: {
      type: 'kind!',
      text: 'string',
      file: 'File',
      data: { type: ['object', 'array'] },
      metadata,
    },
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
    TaskPushNotificationConfig: { id: 'string!', pushNotificationConfig: 'PushNotificationConfig!' },
    PushNotificationConfig: { url: 'string!', token: 'string', authentication: 'AuthenticationInfo' },
    AuthenticationInfo: { schemes: 'string[]!', credentials: 'string' },
    AgentCard: {
      name: 'string!',
      description: 'string',
      url: 'string!',
      provider: 'AgentProvider',
      version: 'string!',
      documentationUrl: 'string',
      capabilities: 'AgentCapabilities!',
      authentication: 'AgentAuthentication',
      defaultInputModes: 'string[]',
      defaultOutputModes: 'string[]',
      skills: 'AgentSkill[]!',
    },
    AgentProvider: { organization: 'string!', url: 'string' },
    AgentCapabilities: { streaming: 'bool', pushNotifications: 'bool', stateTransitionHistory: 'bool' },
    AgentAuthentication: { schemes: 'string[]!', credentials: 'string' },
    AgentSkill: {
      id: 'string!',
      name: 'string!',
      description: 'string',
      tags: 'string[]',
      examples: 'string[]',
      inputModes: 'string[]',
      outputModes: 'string[]',
    },
    JSONRPCError: { code: 'int32!', message: 'string!', data: 'any' },
  }),
  states: ['submitted', 'working', 'input-required', 'completed', 'canceled', 'failed', 'unknown'],
  roles: ['user', 'agent'],
  kinds: { Part: { member: 'type', values: ['text', 'file', 'data'] } },
  constraints: {
    Part: {
      oneOf: ['text', 'file', 'data'].map((type) => ({
        properties: { type: { const: type } },
        required: [type],
      })),
    },
    File: { oneOf: [{ required: ['bytes'] }, { required: ['uri'] }] },
  },
  emptyLists: undefined,
  methods: {
    'tasks/send': { params: 'TaskSendParams', result: ['Task'] },
    'tasks/sendSubscribe': {
      params: 'TaskSendParams',
      result: ['TaskStatusUpdateEvent', 'TaskArtifactUpdateEvent'],
    },
    'tasks/get': { params: 'TaskQueryParams', result: ['Task'] },
    'tasks/cancel': { params: 'TaskIdParams', result: ['Task'] },
    'tasks/resubscribe': {
      params: 'TaskQueryParams',
      result: ['TaskStatusUpdateEvent', 'TaskArtifactUpdateEvent'],
    },
    'tasks/pushNotification/set': {
      params: 'TaskPushNotificationConfig',
      result: ['TaskPushNotificationConfig'],
    },
    'tasks/pushNotification/get': { params: 'TaskIdParams', result: ['TaskPushNotificationConfig'] },
  },
};
