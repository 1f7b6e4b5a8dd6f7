import type { Binding, Dialect, Operation, ProtocolVersion } from '@plugfest/model';

/** An HTTP+JSON call: verb and path below the interface's base URL. `{id}` is the task, `{configId}` a push config. */
export interface RestRoute {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

export interface OperationNames {
  readonly operation: Operation;
  /** Answers with an event stream. */
  readonly streaming: boolean;
  /** JSON-RPC method per version, the canonical name first; absent where that version has no such call. */
  readonly jsonrpc: Readonly<Partial<Record<ProtocolVersion, string>>>;
  /** A2A 1.0 section 5.3 and 0.3 section 3.5.6. */
  readonly rest: Readonly<Partial<Record<ProtocolVersion, RestRoute>>>;
  /** RPC name of the gRPC service. */
  readonly grpc: Readonly<Partial<Record<ProtocolVersion, string>>>;
}

/** The eleven operations (A2A 1.0 section 3.1) with their names on every wire. */
export const operations: readonly OperationNames[] = [
  {
    operation: 'SendMessage',
    streaming: false,
    jsonrpc: { '1.0': 'SendMessage', '0.3': 'message/send', '0.2': 'message/send', '0.1': 'tasks/send' },
    rest: {
      '1.0': { verb: 'POST', path: '/message:send' },
      '0.3': { verb: 'POST', path: '/v1/message:send' },
    },
    grpc: { '1.0': 'SendMessage', '0.3': 'SendMessage', '0.2': 'SendMessage' },
  },
  {
    operation: 'SendStreamingMessage',
    streaming: true,
    jsonrpc: {
      '1.0': 'SendStreamingMessage',
      '0.3': 'message/stream',
      '0.2': 'message/stream',
      '0.1': 'tasks/sendSubscribe',
    },
    rest: {
      '1.0': { verb: 'POST', path: '/message:stream' },
      '0.3': { verb: 'POST', path: '/v1/message:stream' },
    },
    grpc: { '1.0': 'SendStreamingMessage', '0.3': 'SendStreamingMessage', '0.2': 'SendStreamingMessage' },
  },
  {
    operation: 'GetTask',
    streaming: false,
    jsonrpc: { '1.0': 'GetTask', '0.3': 'tasks/get', '0.2': 'tasks/get', '0.1': 'tasks/get' },
    rest: {
      '1.0': { verb: 'GET', path: '/tasks/{id}' },
      '0.3': { verb: 'GET', path: '/v1/tasks/{id}' },
    },
    grpc: { '1.0': 'GetTask', '0.3': 'GetTask', '0.2': 'GetTask' },
  },
  {
    operation: 'ListTasks',
    streaming: false,
    jsonrpc: { '1.0': 'ListTasks' },
    rest: { '1.0': { verb: 'GET', path: '/tasks' }, '0.3': { verb: 'GET', path: '/v1/tasks' } },
    grpc: { '1.0': 'ListTasks' },
  },
  {
    operation: 'CancelTask',
    streaming: false,
    jsonrpc: { '1.0': 'CancelTask', '0.3': 'tasks/cancel', '0.2': 'tasks/cancel', '0.1': 'tasks/cancel' },
    rest: {
      '1.0': { verb: 'POST', path: '/tasks/{id}:cancel' },
      '0.3': { verb: 'POST', path: '/v1/tasks/{id}:cancel' },
    },
    grpc: { '1.0': 'CancelTask', '0.3': 'CancelTask', '0.2': 'CancelTask' },
  },
  {
    operation: 'SubscribeToTask',
    streaming: true,
    jsonrpc: {
      '1.0': 'SubscribeToTask',
      '0.3': 'tasks/resubscribe',
      '0.2': 'tasks/resubscribe',
      '0.1': 'tasks/resubscribe',
    },
    // The prose says POST, the proto annotation GET, in 0.3 and in 1.0; servers of the SDKs take both.
    rest: {
      '1.0': { verb: 'POST', path: '/tasks/{id}:subscribe' },
      '0.3': { verb: 'POST', path: '/v1/tasks/{id}:subscribe' },
    },
    grpc: { '1.0': 'SubscribeToTask', '0.3': 'TaskSubscription', '0.2': 'TaskSubscription' },
  },
  {
    operation: 'CreateTaskPushNotificationConfig',
    streaming: false,
    jsonrpc: {
      '1.0': 'CreateTaskPushNotificationConfig',
      '0.3': 'tasks/pushNotificationConfig/set',
      '0.2': 'tasks/pushNotificationConfig/set',
      '0.1': 'tasks/pushNotification/set',
    },
    rest: {
      '1.0': { verb: 'POST', path: '/tasks/{id}/pushNotificationConfigs' },
      '0.3': { verb: 'POST', path: '/v1/tasks/{id}/pushNotificationConfigs' },
    },
    grpc: {
      '1.0': 'CreateTaskPushNotificationConfig',
      '0.3': 'CreateTaskPushNotificationConfig',
      '0.2': 'CreateTaskPushNotificationConfig',
    },
  },
  {
    operation: 'GetTaskPushNotificationConfig',
    streaming: false,
    jsonrpc: {
      '1.0': 'GetTaskPushNotificationConfig',
      '0.3': 'tasks/pushNotificationConfig/get',
      '0.2': 'tasks/pushNotificationConfig/get',
      '0.1': 'tasks/pushNotification/get',
    },
    rest: {
      '1.0': { verb: 'GET', path: '/tasks/{id}/pushNotificationConfigs/{configId}' },
      '0.3': { verb: 'GET', path: '/v1/tasks/{id}/pushNotificationConfigs/{configId}' },
    },
    grpc: {
      '1.0': 'GetTaskPushNotificationConfig',
      '0.3': 'GetTaskPushNotificationConfig',
      '0.2': 'GetTaskPushNotificationConfig',
    },
  },
  {
    operation: 'ListTaskPushNotificationConfigs',
    streaming: false,
    jsonrpc: {
      '1.0': 'ListTaskPushNotificationConfigs',
      '0.3': 'tasks/pushNotificationConfig/list',
      '0.2': 'tasks/pushNotificationConfig/list',
    },
    rest: {
      '1.0': { verb: 'GET', path: '/tasks/{id}/pushNotificationConfigs' },
      '0.3': { verb: 'GET', path: '/v1/tasks/{id}/pushNotificationConfigs' },
    },
    grpc: {
      '1.0': 'ListTaskPushNotificationConfigs',
      '0.3': 'ListTaskPushNotificationConfig',
      '0.2': 'ListTaskPushNotificationConfig',
    },
  },
  {
    operation: 'DeleteTaskPushNotificationConfig',
    streaming: false,
    jsonrpc: {
      '1.0': 'DeleteTaskPushNotificationConfig',
      '0.3': 'tasks/pushNotificationConfig/delete',
      '0.2': 'tasks/pushNotificationConfig/delete',
    },
    rest: {
      '1.0': { verb: 'DELETE', path: '/tasks/{id}/pushNotificationConfigs/{configId}' },
      '0.3': { verb: 'DELETE', path: '/v1/tasks/{id}/pushNotificationConfigs/{configId}' },
    },
    grpc: {
      '1.0': 'DeleteTaskPushNotificationConfig',
      '0.3': 'DeleteTaskPushNotificationConfig',
      '0.2': 'DeleteTaskPushNotificationConfig',
    },
  },
  {
    operation: 'GetExtendedAgentCard',
    streaming: false,
    jsonrpc: { '1.0': 'GetExtendedAgentCard', '0.3': 'agent/getAuthenticatedExtendedCard' },
    rest: {
      '1.0': { verb: 'GET', path: '/extendedAgentCard' },
      '0.3': { verb: 'GET', path: '/v1/card' },
      // 0.2.1 to 0.2.6: plain HTTP, relative to the parent of the card's `url` (0.2 section 7.10).
      '0.2': { verb: 'GET', path: '/agent/authenticatedExtendedCard' },
    },
    grpc: { '1.0': 'GetExtendedAgentCard', '0.3': 'GetAgentCard', '0.2': 'GetAgentCard' },
  },
];

/** gRPC service per version (A2A 1.0 section 10.1; 0.3 section 3.2.2). 1.0 release candidates still used `a2a.v1`. */
export const grpcServices: Readonly<Partial<Record<ProtocolVersion, string>>> = {
  '1.0': 'lf.a2a.v1.A2AService',
  '0.3': 'a2a.v1.A2AService',
  '0.2': 'a2a.v1.A2AService',
};

const byOperation = new Map(operations.map((entry) => [entry.operation, entry]));

/** Names of one operation. */
export function operationNames(operation: Operation): OperationNames {
  const entry = byOperation.get(operation);
  if (entry === undefined) throw new Error(`No such operation: ${operation}`);
  return entry;
}

/** True for the two operations that answer with a stream. */
export function isStreaming(operation: Operation | undefined): boolean {
  return operation === 'SendStreamingMessage' || operation === 'SubscribeToTask';
}

/**
 * The name of an operation on the wire: JSON-RPC method, `VERB /path` pattern, or gRPC path; undefined where
 * that dialect has no such call.
 */
export function wireMethodOf(dialect: Dialect, operation: Operation): string | undefined {
  const names = operationNames(operation);
  const encoders: Readonly<Record<Binding, () => string | undefined>> = {
    JSONRPC: () => names.jsonrpc[dialect.version],
    'HTTP+JSON': () => {
      const route = names.rest[dialect.version];
      return route && `${route.verb} ${route.path}`;
    },
    GRPC: () => {
      const rpc = names.grpc[dialect.version];
      return rpc && `/${grpcServices[dialect.version]}/${rpc}`;
    },
  };
  return encoders[dialect.binding]();
}

/** What a JSON-RPC method name means: the operation and the versions that have it, newest first. */
export interface JsonRpcMethod {
  readonly operation: Operation;
  readonly versions: readonly ProtocolVersion[];
}

/** Newest first. */
export const protocolVersions: readonly ProtocolVersion[] = ['1.0', '0.3', '0.2', '0.1'];

const jsonRpcMethods: ReadonlyMap<string, JsonRpcMethod> = (() => {
  const methods = new Map<string, { operation: Operation; versions: ProtocolVersion[] }>();
  for (const { operation, jsonrpc } of operations) {
    for (const version of protocolVersions) {
      const name = jsonrpc[version];
      if (name === undefined) continue;
      const known = methods.get(name);
      if (known) known.versions.push(version);
      else methods.set(name, { operation, versions: [version] });
    }
  }
  return methods;
})();

/** Looks up a JSON-RPC method name of any version; undefined for extension and unknown methods. */
export function jsonRpcMethod(name: string): JsonRpcMethod | undefined {
  return jsonRpcMethods.get(name);
}

const grpcPaths: ReadonlyMap<string, { readonly operation: Operation; readonly version: ProtocolVersion }> =
  new Map(
    operations.flatMap(({ operation, grpc }) =>
      // 0.2 shares the service with 0.3 and is not told apart from it.
      (['1.0', '0.3'] as const).flatMap((version) => {
        const rpc = grpc[version];
        return rpc === undefined
          ? []
          : [[`/${grpcServices[version]}/${rpc}`, { operation, version }] as const];
      }),
    ),
  );

/** What only 0.2.2 to 0.2.4 called so. */
const oldestGrpc: ReadonlyMap<string, Operation> = new Map([
  ['CreateTaskPushNotification', 'CreateTaskPushNotificationConfig'],
  ['GetTaskPushNotification', 'GetTaskPushNotificationConfig'],
  ['ListTaskPushNotification', 'ListTaskPushNotificationConfigs'],
]);

/** Looks up a gRPC request path; undefined where it is none of A2A's. */
export function grpcMethod(path: string): { operation: Operation; version: ProtocolVersion } | undefined {
  const known = grpcPaths.get(path);
  if (known !== undefined) return known;
  const prefix = `/${grpcServices['0.2']}/`;
  const oldest = path.startsWith(prefix) ? oldestGrpc.get(path.slice(prefix.length)) : undefined;
  return oldest === undefined ? undefined : { operation: oldest, version: '0.2' };
}
