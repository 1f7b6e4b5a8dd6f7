import type { Binding, Operation, ProtocolVersion } from '@plugfest/model';

/** The dialect that an example is wanted in. */
export interface Target {
  readonly version: ProtocolVersion;
  readonly binding: Binding;
}

/** The dialects that exist: before 0.3 the text knows JSON-RPC only. */
export const dialects: readonly Target[] = [
  { version: '0.1', binding: 'JSONRPC' },
  { version: '0.2', binding: 'JSONRPC' },
  { version: '0.3', binding: 'JSONRPC' },
  { version: '0.3', binding: 'HTTP+JSON' },
  { version: '0.3', binding: 'GRPC' },
  { version: '1.0', binding: 'JSONRPC' },
  { version: '1.0', binding: 'HTTP+JSON' },
  { version: '1.0', binding: 'GRPC' },
];

type Names = Readonly<Partial<Record<Operation, string>>>;

const names03: Names = {
  SendMessage: 'message/send',
  SendStreamingMessage: 'message/stream',
  GetTask: 'tasks/get',
  CancelTask: 'tasks/cancel',
  SubscribeToTask: 'tasks/resubscribe',
  CreateTaskPushNotificationConfig: 'tasks/pushNotificationConfig/set',
  GetTaskPushNotificationConfig: 'tasks/pushNotificationConfig/get',
  ListTaskPushNotificationConfigs: 'tasks/pushNotificationConfig/list',
  DeleteTaskPushNotificationConfig: 'tasks/pushNotificationConfig/delete',
  GetExtendedAgentCard: 'agent/getAuthenticatedExtendedCard',
};
const { GetExtendedAgentCard: _sinceVersion03, ...names02 } = names03;

/** 1.0 names, of JSON-RPC and gRPC (1.0 section 5.3). */
const names10: Names = {
  SendMessage: 'SendMessage',
  SendStreamingMessage: 'SendStreamingMessage',
  GetTask: 'GetTask',
  ListTasks: 'ListTasks',
  CancelTask: 'CancelTask',
  SubscribeToTask: 'SubscribeToTask',
  CreateTaskPushNotificationConfig: 'CreateTaskPushNotificationConfig',
  GetTaskPushNotificationConfig: 'GetTaskPushNotificationConfig',
  ListTaskPushNotificationConfigs: 'ListTaskPushNotificationConfigs',
  DeleteTaskPushNotificationConfig: 'DeleteTaskPushNotificationConfig',
  GetExtendedAgentCard: 'GetExtendedAgentCard',
};

/** JSON-RPC methods (0.1: its section 7, 0.2 and 0.3: section 7, 1.0: section 9.4). */
export const rpcMethods: Readonly<Record<ProtocolVersion, Names>> = {
  '0.1': {
    SendMessage: 'tasks/send',
    SendStreamingMessage: 'tasks/sendSubscribe',
    GetTask: 'tasks/get',
    CancelTask: 'tasks/cancel',
    SubscribeToTask: 'tasks/resubscribe',
    CreateTaskPushNotificationConfig: 'tasks/pushNotification/set',
    GetTaskPushNotificationConfig: 'tasks/pushNotification/get',
  },
  '0.2': names02,
  '0.3': names03,
  '1.0': names10,
};

const { ListTasks: _sinceVersion10, ...names10WithoutList } = names10;

/** gRPC methods; 0.3 took its names from the proto of that tag. */
export const grpcMethods: Readonly<Partial<Record<ProtocolVersion, Names>>> = {
  '0.3': {
    ...names10WithoutList,
    SubscribeToTask: 'TaskSubscription',
    ListTaskPushNotificationConfigs: 'ListTaskPushNotificationConfig',
    GetExtendedAgentCard: 'GetAgentCard',
  },
  '1.0': names10,
};

export const isStreamed = (operation: Operation): boolean =>
  operation === 'SendStreamingMessage' || operation === 'SubscribeToTask';

/** Where the examples' agent serves each binding. */
export const endpoints: Readonly<Record<Binding, string>> = {
  JSONRPC: 'https://agent.example/a2a',
  'HTTP+JSON': 'https://agent.example/rest',
  GRPC: 'agent.example:443',
};
