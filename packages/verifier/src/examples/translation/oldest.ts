import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { list, objectOf, present, textOf, untranslatable } from './codec.ts';
import { isLast, legacyRole, legacyState, partsBy } from './legacy.ts';

/** What one conversation in 0.1 needs to remember: there artifacts are counted, and clients name the tasks. */
export class OldestConversation {
  readonly #artifacts = new Map<string, string[]>();
  #newTasks = 0;

  /** The index of an artifact within its task. */
  indexOf(taskId: string, artifactId: string): number {
    const known = this.#artifacts.get(taskId) ?? [];
    this.#artifacts.set(taskId, known);
    if (!known.includes(artifactId)) known.push(artifactId);
    return known.indexOf(artifactId);
  }

  /** An id for a task that is refused before anybody names it. */
  nextTaskId(): string {
    this.#newTasks += 1;
    return `task-of-client-${this.#newTasks}`;
  }
}

const parts = list(partsBy('type'));

/** 0.1 messages have no ids, and belong to the task whose call they are in (0.1 section 6.4). */
function oldestMessage(value: Json): JsonObject {
  const { role, parts: own, metadata, messageId: _1, contextId: _2, taskId: _3, ...others } = objectOf(value);
  if (Object.keys(others).length > 0) return untranslatable('a message of more than 0.1 has');
  return present({
    role: role === undefined ? undefined : legacyRole.to(role),
    parts: own === undefined ? undefined : parts.to(own),
    metadata,
  });
}

/** The states that came with 0.2 (0.1 section 6.3 has seven). */
const newer: ReadonlySet<Json> = new Set(['rejected', 'auth-required']);

function oldestState(value: Json): Json {
  const state = legacyState.to(value);
  return newer.has(state) ? untranslatable(`0.1 has no state ${state}`) : state;
}

function oldestStatus(value: Json): JsonObject {
  const { state, message, timestamp, ...others } = objectOf(value);
  if (Object.keys(others).length > 0) return untranslatable('a status of more than 0.1 has');
  return present({
    state: state === undefined ? undefined : oldestState(state),
    message: message === undefined ? undefined : oldestMessage(message),
    timestamp,
  });
}

function oldestArtifact(
  value: Json,
  taskId: string,
  conversation: OldestConversation,
  flags: JsonObject,
): JsonObject {
  const { artifactId, name, description, parts: own, metadata, ...others } = objectOf(value);
  if (Object.keys(others).length > 0) return untranslatable('an artifact of more than 0.1 has');
  return present({
    name,
    description,
    parts: own === undefined ? undefined : parts.to(own),
    index: conversation.indexOf(taskId, textOf(artifactId)),
    metadata,
    ...flags,
  });
}

export function oldestTask(value: Json, conversation: OldestConversation): JsonObject {
  const { id, contextId, status, artifacts, history, metadata, ...others } = objectOf(value);
  if (Object.keys(others).length > 0) return untranslatable('a task of more than 0.1 has');
  const taskId = textOf(id);
  return present({
    id: taskId,
    // Without one nothing would tell the result from one of 0.2.
    sessionId: textOf(contextId),
    status: status === undefined ? undefined : oldestStatus(status),
    artifacts: Array.isArray(artifacts)
      ? artifacts.map((artifact: Json) => oldestArtifact(artifact, taskId, conversation, {}))
      : artifacts === undefined
        ? undefined
        : untranslatable('no artifacts'),
    history: Array.isArray(history)
      ? history.map((message: Json) => oldestMessage(message))
      : history === undefined
        ? undefined
        : untranslatable('no history'),
    metadata,
  });
}

/** An event of a 0.1 stream: there is no snapshot, a stream begins with a status (0.1 section 7.2). */
export function oldestEvent(value: JsonObject, conversation: OldestConversation): JsonObject {
  const [entry, another] = Object.entries(value);
  if (entry === undefined || another !== undefined) return untranslatable('not one payload');
  const [name, payload] = entry;
  const event = objectOf(payload);
  if (name === 'task') {
    if (event.artifacts !== undefined || event.history !== undefined || event.metadata !== undefined)
      return untranslatable('a snapshot in a stream');
    return { id: textOf(event.id), status: oldestStatus(event.status ?? null), final: isLast(event) };
  }
  const { taskId, contextId: _ofTheTask, metadata, ...members } = event;
  const id = textOf(taskId);
  if (name === 'statusUpdate') {
    const { status, ...others } = members;
    if (Object.keys(others).length > 0) return untranslatable('an event of more than 0.1 has');
    return present({ id, status: oldestStatus(status ?? null), final: isLast(event), metadata });
  }
  if (name !== 'artifactUpdate') return untranslatable('a direct message');
  const { artifact, append, lastChunk, ...others } = members;
  if (Object.keys(others).length > 0) return untranslatable('an event of more than 0.1 has');
  return present({
    id,
    artifact: oldestArtifact(artifact ?? null, id, conversation, present({ append, lastChunk })),
    metadata,
  });
}

/** The push configuration: a task has one, so that it has no id. */
function oldestConfig(value: Json): JsonObject {
  const { id: _1, taskId: _2, url, token, authentication, ...others } = objectOf(value);
  if (Object.keys(others).length > 0) return untranslatable('a config of more than 0.1 has');
  const { scheme, credentials, ...more } = isJsonObject(authentication) ? authentication : {};
  if (Object.keys(more).length > 0) return untranslatable('authentication of more than 0.1 has');
  return present({
    url,
    token,
    authentication:
      authentication === undefined
        ? undefined
        : present({ schemes: scheme === undefined ? undefined : [scheme], credentials }),
  });
}

/** Params of a call; of a send the client names the task: as the server did in the example that this comes from. */
export function oldestParams(
  operation: string,
  params: JsonObject,
  answered: JsonObject | undefined,
  conversation: OldestConversation,
): JsonObject {
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { message, configuration, metadata, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params of more than 0.1 has');
      const sent = objectOf(message);
      const {
        historyLength,
        taskPushNotificationConfig: config,
        returnImmediately: _theServerDecides,
        ...settings
      } = objectOf(configuration ?? {});
      if (Object.keys(settings).length > 0) return untranslatable('settings that 0.1 has not');
      return present({
        id: textOf(sent.taskId ?? answered?.id ?? answered?.taskId ?? conversation.nextTaskId()),
        sessionId: sent.contextId ?? answered?.contextId,
        message: oldestMessage(sent),
        historyLength,
        pushNotification: config === undefined ? undefined : oldestConfig(config),
        metadata,
      });
    }
    case 'GetTask':
    case 'CancelTask':
    case 'SubscribeToTask': {
      const { id, historyLength, metadata, ...others } = params;
      if (Object.keys(others).length > 0) return untranslatable('params of more than 0.1 has');
      return present({ id, historyLength, metadata });
    }
    case 'CreateTaskPushNotificationConfig':
      return { id: textOf(params.taskId), pushNotificationConfig: oldestConfig(params) };
    case 'GetTaskPushNotificationConfig':
      return { id: textOf(params.taskId) };
    default:
      return untranslatable(`0.1 has no ${operation}`);
  }
}

export function oldestResult(
  operation: string,
  value: Json | undefined,
  conversation: OldestConversation,
): Json {
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { task, ...others } = objectOf(value);
      if (task === undefined || Object.keys(others).length > 0) return untranslatable('not a task');
      return oldestTask(task, conversation);
    }
    case 'GetTask':
    case 'CancelTask':
      return oldestTask(value ?? null, conversation);
    case 'CreateTaskPushNotificationConfig':
    case 'GetTaskPushNotificationConfig': {
      const config = objectOf(value);
      return { id: textOf(config.taskId), pushNotificationConfig: oldestConfig(config) };
    }
    default:
      return untranslatable(`0.1 has no ${operation}`);
  }
}
