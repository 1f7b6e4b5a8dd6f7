import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Operation,
  type ProtocolVersion,
} from '@plugfest/model';
import type { Payload, PayloadLocation } from './decoded.ts';
import { cardView } from './views/card.ts';
import { messageView } from './views/message.ts';
import { pushConfigView } from './views/push-config.ts';
import { taskView } from './views/task.ts';
import { artifactUpdateView, statusUpdateView } from './views/updates.ts';

/** Where an extracted object lies, but for the pointer. */
export type Place = Omit<PayloadLocation, 'pointer'>;

interface Extraction {
  readonly place: Place;
  readonly version: ProtocolVersion;
  readonly into: Payload[];
}

/** Wrapper members of 1.0, with the spellings that the proto and the transcoded 0.3 form give them. */
const wrappers: readonly (readonly [
  member: string,
  kind: 'task' | 'message' | 'statusUpdate' | 'artifactUpdate',
])[] = [
  ['task', 'task'],
  ['message', 'message'],
  ['msg', 'message'],
  ['statusUpdate', 'statusUpdate'],
  ['status_update', 'statusUpdate'],
  ['artifactUpdate', 'artifactUpdate'],
  ['artifact_update', 'artifactUpdate'],
];

type ObjectKind = (typeof wrappers)[number][1];

function add(kind: ObjectKind, value: JsonObject, pointer: string, extraction: Extraction): void {
  const { place, version, into } = extraction;
  const at = { ...place, pointer };
  switch (kind) {
    case 'task':
      into.push({ ...at, kind, task: taskView(value, pointer, version) });
      break;
    case 'message':
      into.push({ ...at, kind, message: messageView(value, pointer) });
      break;
    case 'statusUpdate':
      into.push({ ...at, kind, update: statusUpdateView(value, pointer, version) });
      break;
    case 'artifactUpdate':
      into.push({ ...at, kind, update: artifactUpdateView(value, pointer, version) });
  }
}

const kinds: ReadonlyMap<unknown, ObjectKind> = new Map<unknown, ObjectKind>([
  ['task', 'task'],
  ['message', 'message'],
  ['status-update', 'statusUpdate'],
  ['artifact-update', 'artifactUpdate'],
]);

/** What a bare object is, by its `kind` or else by its members. In 0.1 streams an object with `status` is an event. */
function bareKind(value: JsonObject, version: ProtocolVersion, stream: boolean): ObjectKind | undefined {
  const kind = kinds.get(value.kind);
  if (kind !== undefined) return kind;
  // Beside what a wrapper holds, any other member is an unknown one.
  if (version === '1.0' && wrappers.some(([member]) => isJsonObject(value[member]))) return undefined;
  if ('role' in value || 'parts' in value) return 'message';
  if ('artifact' in value) return 'artifactUpdate';
  if (!('status' in value)) return undefined;
  if ('taskId' in value || 'final' in value) return 'statusUpdate';
  const event01 = stream && version === '0.1' && !('artifacts' in value) && !('sessionId' in value);
  return event01 ? 'statusUpdate' : 'task';
}

/** Tasks, messages and events in a result or stream event: bare or wrapped, whatever the version says it should be. */
export function extractResult(
  value: Json | undefined,
  pointer: string,
  stream: boolean,
  extraction: Extraction,
): void {
  if (!isJsonObject(value)) return;
  const kind = bareKind(value, extraction.version, stream);
  if (kind !== undefined) {
    add(kind, value, pointer, extraction);
    return;
  }
  for (const [member, wrapped] of wrappers) {
    const inner = value[member];
    if (isJsonObject(inner)) add(wrapped, inner, `${pointer}/${member}`, extraction);
  }
}

function addConfig(
  value: Json | undefined,
  pointer: string,
  inline: boolean,
  taskId: string | undefined,
  extraction: Extraction,
): void {
  if (!isJsonObject(value)) return;
  const view = pushConfigView(value, extraction.version, inline);
  const config = view.taskId === undefined && taskId !== undefined ? { ...view, taskId } : view;
  extraction.into.push({ ...extraction.place, pointer, kind: 'pushConfig', config });
}

/** Names under which a send carries a push configuration in some version. */
const inlineConfigMembers = [
  'taskPushNotificationConfig',
  'pushNotificationConfig',
  'pushNotification',
] as const;

/**
 * Protocol objects of a request. `body` is what lies at `pointer`; `params` the same merged with path and query.
 */
export function extractRequest(
  operation: Operation | undefined,
  body: Json | undefined,
  params: Json | undefined,
  pointer: string,
  extraction: Extraction,
): void {
  if (!isJsonObject(body)) return;
  if (operation === 'SendMessage' || operation === 'SendStreamingMessage') {
    if (isJsonObject(body.message)) add('message', body.message, `${pointer}/message`, extraction);
    else if (isJsonObject(body.request)) add('message', body.request, `${pointer}/request`, extraction);
    const configuration = body.configuration;
    const holders: readonly (readonly [Json | undefined, string])[] = [
      [configuration, `${pointer}/configuration`],
      [body, pointer],
    ];
    for (const [holder, at] of holders) {
      if (!isJsonObject(holder)) continue;
      for (const member of inlineConfigMembers) {
        addConfig(holder[member], `${at}/${member}`, true, undefined, extraction);
      }
    }
  } else if (operation === 'CreateTaskPushNotificationConfig') {
    const taskId = isJsonObject(params) && typeof params.taskId === 'string' ? params.taskId : undefined;
    addConfig(body, pointer, false, taskId, extraction);
  }
}

/** Protocol objects of a unary result. */
export function extractUnary(
  operation: Operation | undefined,
  result: Json | undefined,
  pointer: string,
  extraction: Extraction,
): void {
  switch (operation) {
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig':
      addConfig(result, pointer, false, undefined, extraction);
      return;
    case 'ListTaskPushNotificationConfigs': {
      const [configs, at] = listOf(result, 'configs', pointer);
      configs.forEach((config, index) => {
        addConfig(config, `${at}/${index}`, false, undefined, extraction);
      });
      return;
    }
    case 'DeleteTaskPushNotificationConfig':
      return;
    case 'ListTasks': {
      const [tasks, at] = listOf(result, 'tasks', pointer);
      tasks.forEach((task, index) => {
        if (isJsonObject(task)) add('task', task, `${at}/${index}`, extraction);
      });
      return;
    }
    case 'GetExtendedAgentCard':
      if (isJsonObject(result)) extractCard(result, pointer, true, undefined, extraction);
      return;
    default:
      extractResult(result, pointer, false, extraction);
  }
}

const noItems: readonly Json[] = [];

/** The items of a list response: the named member, or the result itself where it is a bare array (0.3). */
function listOf(
  result: Json | undefined,
  member: string,
  pointer: string,
): readonly [readonly Json[], string] {
  if (Array.isArray(result)) return [result, pointer];
  const items = isJsonObject(result) ? result[member] : undefined;
  return [Array.isArray(items) ? items : noItems, `${pointer}/${member}`];
}

export function extractCard(
  card: JsonObject,
  pointer: string,
  extended: boolean,
  path: string | undefined,
  extraction: Extraction,
): void {
  const hints = path === undefined ? { extended, version: extraction.version } : { extended, path };
  extraction.into.push({ ...extraction.place, pointer, kind: 'card', card: cardView(card, hints) });
}
