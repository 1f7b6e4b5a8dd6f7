import {
  type Dialect,
  isJsonObject,
  type Json,
  mediaType,
  type Operation,
  type ProtocolVersion,
} from '@plugfest/model';
import { interpret, readEventData } from './decode/response.ts';
import { deliveryPayload, deliveryVersion } from './decode/webhook.ts';
import type {
  ArtifactUpdateView,
  CardView,
  ErrorView,
  JsonBody,
  MessageView,
  Payload,
  PushConfigView,
  RpcEnvelope,
  StatusUpdateView,
  TaskView,
} from './decoded.ts';
import { absentBody, readJson } from './json-text.ts';
import { extractResult, extractUnary } from './payloads.ts';

/** What a live client got from a unary call. Absent members were not there; nothing is thrown for bad bytes. */
export interface CallResult {
  /** Neither an error of the protocol nor an HTTP failure. */
  readonly ok: boolean;
  readonly status: number;
  readonly mediaType: string;
  readonly json: JsonBody;
  readonly rpc: RpcEnvelope | undefined;
  readonly error: ErrorView | undefined;
  readonly task: TaskView | undefined;
  readonly message: MessageView | undefined;
  /** ListTasks. */
  readonly tasks: readonly TaskView[];
  /** ListTasks and ListTaskPushNotificationConfigs: empty or absent on the last page. */
  readonly nextPageToken: string | undefined;
  /** ListTasks. */
  readonly totalSize: number | undefined;
  readonly config: PushConfigView | undefined;
  readonly configs: readonly PushConfigView[];
  readonly card: CardView | undefined;
  readonly payloads: readonly Payload[];
}

/** What a webhook receiver was sent. */
export interface DeliveryResult {
  readonly json: JsonBody;
  /** Version that the body's shape shows. */
  readonly version: ProtocolVersion;
  readonly payloads: readonly Payload[];
}

/** One event of a live stream. */
export interface StreamResult {
  readonly json: JsonBody;
  readonly rpc: RpcEnvelope | undefined;
  readonly error: ErrorView | undefined;
  readonly task: TaskView | undefined;
  readonly message: MessageView | undefined;
  readonly statusUpdate: StatusUpdateView | undefined;
  readonly artifactUpdate: ArtifactUpdateView | undefined;
  readonly payloads: readonly Payload[];
}

const place = { side: 'response', atNs: 0 } as const;

/** Reads the response to one unary call. The same decoding as for captured exchanges. */
export function readResult(
  dialect: Dialect,
  operation: Operation,
  status: number,
  contentType: string | undefined,
  bodyText: string,
): CallResult {
  const json = bodyText === '' ? absentBody : readJson(bodyText, true, true);
  const { rpc, payload, pointer, error } = interpret(json.value, dialect.binding, dialect.version, status);
  const answered =
    dialect.binding === 'JSONRPC'
      ? rpc?.result !== undefined
      : json.state === 'ok' || json.state === 'absent';
  const payloads: Payload[] = [];
  extractUnary(operation, payload, pointer, { place, version: dialect.version, into: payloads });
  return {
    ...callResult(payloads, payload),
    ok: error === undefined && status >= 200 && status <= 299 && answered,
    status,
    mediaType: mediaType(contentType),
    json,
    rpc,
    error,
  };
}

type ReadPayloads =
  | 'task'
  | 'message'
  | 'tasks'
  | 'nextPageToken'
  | 'totalSize'
  | 'config'
  | 'configs'
  | 'card'
  | 'payloads';

/** What a unary result holds, by kind. */
export function callResult(
  payloads: readonly Payload[],
  result: Json | undefined,
): Pick<CallResult, ReadPayloads> {
  const tasks = payloads.flatMap((item) => (item.kind === 'task' ? [item.task] : []));
  const configs = payloads.flatMap((item) => (item.kind === 'pushConfig' ? [item.config] : []));
  const { nextPageToken, totalSize } = isJsonObject(result) ? result : {};
  return {
    task: tasks[0],
    message: payloads.find((item) => item.kind === 'message')?.message,
    tasks,
    nextPageToken: typeof nextPageToken === 'string' ? nextPageToken : undefined,
    totalSize: typeof totalSize === 'number' ? totalSize : undefined,
    config: configs[0],
    configs,
    card: payloads.find((item) => item.kind === 'card')?.card,
    payloads,
  };
}

/** What an event of a stream holds, by kind. */
export function streamResult(
  payloads: readonly Payload[],
): Pick<StreamResult, 'task' | 'message' | 'statusUpdate' | 'artifactUpdate' | 'payloads'> {
  return {
    task: payloads.find((item) => item.kind === 'task')?.task,
    message: payloads.find((item) => item.kind === 'message')?.message,
    statusUpdate: payloads.find((item) => item.kind === 'statusUpdate')?.update,
    artifactUpdate: payloads.find((item) => item.kind === 'artifactUpdate')?.update,
    payloads,
  };
}

/** Reads the body of a webhook delivery. `registered` is the version under which its configuration was made. */
export function readDelivery(bodyText: string, registered?: ProtocolVersion): DeliveryResult {
  const json = bodyText === '' ? absentBody : readJson(bodyText, true, true);
  const { version } = deliveryVersion(json.value, registered === undefined ? {} : { version: registered });
  const { value, pointer } = deliveryPayload(json.value);
  const payloads: Payload[] = [];
  const at = { side: 'request', atNs: 0 } as const;
  extractResult(value, pointer, false, { place: at, version, into: payloads });
  return { json, version, payloads };
}

/** Reads the data of one stream event. `eventName` is its `event:` field, which some REST servers use for errors. */
export function readStreamEvent(dialect: Dialect, dataText: string, eventName?: string): StreamResult {
  const json = readEventData(dataText, true, true);
  const { binding, version } = dialect;
  const { rpc, payload, pointer, error } = interpret(
    json.value,
    binding,
    version,
    undefined,
    eventName === 'error',
  );
  const payloads: Payload[] = [];
  extractResult(payload, pointer, true, { place, version, into: payloads });
  return { ...streamResult(payloads), json, rpc, error };
}
