import type {
  ArtifactView,
  CallResult,
  CardView,
  ErrorView,
  MessageView,
  PartView,
  PushConfigView,
  StatusView,
  StreamResult,
  TaskView,
} from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { DriveArtifact, DriveContent, DriveError, DriveEvent } from '../driver/drive.ts';

/** What a strict client cannot take: the bytes say nothing that the protocol allows here. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
}

export function seenTask(task: TaskView): DriveEvent {
  return {
    kind: 'task',
    taskId: task.id ?? '',
    contextId: task.contextId ?? '',
    ...status(task.status, 'task'),
    artifacts: (task.artifacts ?? []).map(seenArtifact),
    ...(task.history === undefined ? {} : { history: task.history.length }),
  };
}

function seenMessage(message: MessageView): DriveEvent {
  return {
    kind: 'message',
    messageId: message.messageId ?? '',
    ...(message.taskId ? { taskId: message.taskId } : {}),
    ...(message.contextId ? { contextId: message.contextId } : {}),
    role: message.role ?? '',
    text: textOf(message.parts),
  };
}

export function seenPushConfig(config: PushConfigView): DriveEvent {
  return { kind: 'pushConfig', taskId: config.taskId ?? '', id: config.id ?? '', url: config.url ?? '' };
}

export function seenCard(card: CardView): DriveEvent {
  const interfaces = [...card.interfaces, ...card.legacyInterfaces];
  const skills = Array.isArray(card.value.skills) ? card.value.skills : [];
  return {
    kind: 'card',
    name: card.name ?? '',
    versions: distinct(interfaces.map(({ version }) => version)),
    bindings: distinct(interfaces.map(({ binding }) => binding)),
    skills: skills.flatMap((skill) =>
      isJsonObject(skill) && typeof skill.id === 'string' ? [skill.id] : [],
    ),
  };
}

function distinct(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

/** @throws InvalidAnswer where the answer to a send is neither a task nor a message. */
export function seenResult(result: CallResult): DriveEvent {
  if (result.task) return seenTask(result.task);
  if (result.message) return seenMessage(result.message);
  throw new InvalidAnswer('the answer holds neither a task nor a message');
}

/** @throws InvalidAnswer where the event is none of the four payloads. */
export function seenStreamEvent(event: StreamResult): DriveEvent {
  if (event.task) return seenTask(event.task);
  if (event.message) return seenMessage(event.message);
  if (event.statusUpdate) {
    const { taskId = '', contextId = '', status: update } = event.statusUpdate;
    return { kind: 'status', taskId, contextId, ...status(update, 'status update') };
  }
  if (event.artifactUpdate?.artifact) {
    const { taskId = '', contextId = '', artifact, append, lastChunk } = event.artifactUpdate;
    return { kind: 'artifact', taskId, contextId, artifact: seenArtifact(artifact), append, lastChunk };
  }
  if (event.json.state !== 'ok') throw new InvalidAnswer('the data of a stream event is no JSON');
  throw new InvalidAnswer('a stream event is neither task, message, status nor artifact update');
}

export function seenError(error: ErrorView): DriveError {
  return {
    name: error.name ?? 'UnknownError',
    ...(error.code === undefined ? {} : { code: error.code }),
    message: error.message ?? '',
  };
}

function status(view: StatusView, what: string) {
  if (view.state === undefined)
    throw new InvalidAnswer(
      `the ${what} has no state that A2A knows: ${JSON.stringify(view.rawState) ?? 'absent'}`,
    );
  return { state: view.state, text: textOf(view.message?.parts ?? []) };
}

function seenArtifact(artifact: ArtifactView): DriveArtifact {
  return {
    artifactId: artifact.artifactId ?? '',
    ...(artifact.name ? { name: artifact.name } : {}),
    text: textOf(artifact.parts),
    contents: artifact.parts.map(seenContent),
  };
}

function seenContent(part: PartView): DriveContent {
  const { kind, mediaType, value } = part;
  const holder = isJsonObject(value) ? value : {};
  // 0.3 keeps a file's members in an object of its own (0.3 section 6.6), under other names in its proto.
  const file = isJsonObject(holder.file) ? holder.file : holder;
  const filename = file.filename ?? file.name;
  const content = {
    text: holder.text,
    data: dataOf(holder),
    raw: file.raw ?? file.bytes ?? file.fileWithBytes,
    url: file.url ?? file.uri ?? file.fileWithUri,
    unknown: undefined,
  }[kind];
  return {
    kind,
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(typeof filename === 'string' ? { filename } : {}),
    ...(content === undefined ? {} : { content }),
  };
}

/** The proto of 0.3 wraps data once more; its JSON says `kind` instead. */
function dataOf({ kind, data }: JsonObject): Json | undefined {
  const wrapped = kind === undefined && isJsonObject(data) && Object.keys(data).join() === 'data';
  return wrapped && isJsonObject(data.data) ? data.data : data;
}

function textOf(parts: readonly PartView[]): string {
  return parts.map(({ kind, text }) => (kind === 'text' ? (text ?? '') : '')).join('');
}
