/** How A2A operations are carried. The names of `supportedInterfaces[].protocolBinding` (A2A 1.0 section 5.8). */
export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** Wire dialects that Plugfest tells apart. Patch releases of 1.0 share one dialect. */
export type ProtocolVersion = '0.1' | '0.2' | '0.3' | '1.0';

/** The wire dialect of one exchange. Decided per exchange, never per host. */
export interface Dialect {
  readonly version: ProtocolVersion;
  readonly binding: Binding;
}

/** Abstract operations by their A2A 1.0 names (section 3.1); older wire names are mapped onto them. */
export type Operation =
  | 'SendMessage'
  | 'SendStreamingMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'SubscribeToTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'
  | 'GetExtendedAgentCard';

/** Canonical task states (A2A 1.0 section 4.1.3); 0.x spellings are mapped onto them. */
export type TaskState =
  | 'TASK_STATE_UNSPECIFIED'
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED'
  | 'TASK_STATE_INPUT_REQUIRED'
  | 'TASK_STATE_REJECTED'
  | 'TASK_STATE_AUTH_REQUIRED';

/** Who had the duty that a finding says was broken. `harness` is Plugfest itself. */
export type Party = 'client' | 'server' | 'webhook-sender' | 'webhook-receiver' | 'gateway' | 'harness';

/** The RFC 2119 strength of a rule. `INFO` is recorded and never scored. */
export type Level = 'MUST' | 'SHOULD' | 'MAY' | 'INFO';
