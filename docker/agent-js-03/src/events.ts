import type {
  AgentCard,
  Artifact,
  Message,
  Part,
  Task,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskStatusUpdateEvent,
} from '@a2a-js/sdk';
import { textOf } from './parts.ts';
import { interfacesOf } from './peer.ts';

/** One thing that the agent's client saw, in the words of a drive result. */
export type SeenEvent = { readonly kind: string; readonly [member: string]: unknown };

/** What the SDK's client gives, of a call or of a stream. */
export type StreamEvent = Task | Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent;

/** Drive results name states and roles as 1.0 does. */
function stateName(state: string | undefined): string {
  return `TASK_STATE_${(state ?? 'unspecified').replaceAll('-', '_').toUpperCase()}`;
}

export function seenStreamEvent(event: StreamEvent): SeenEvent {
  switch (event.kind) {
    case 'task':
      return {
        kind: 'task',
        taskId: event.id,
        contextId: event.contextId,
        state: stateName(event.status?.state),
        text: textOf(event.status?.message),
        artifacts: (event.artifacts ?? []).map(seenArtifact),
        ...(event.history && { history: event.history.length }),
      };
    case 'message':
      return {
        kind: 'message',
        messageId: event.messageId,
        ...(event.taskId && { taskId: event.taskId }),
        ...(event.contextId && { contextId: event.contextId }),
        role: `ROLE_${event.role.toUpperCase()}`,
        text: textOf(event),
      };
    case 'status-update':
      return {
        kind: 'status',
        taskId: event.taskId,
        contextId: event.contextId,
        state: stateName(event.status?.state),
        text: textOf(event.status?.message),
      };
    case 'artifact-update':
      return {
        kind: 'artifact',
        taskId: event.taskId,
        contextId: event.contextId,
        artifact: seenArtifact(event.artifact),
        append: event.append ?? false,
        lastChunk: event.lastChunk ?? false,
      };
    default:
      return { kind: 'unknown' };
  }
}

export function seenCard(card: AgentCard): SeenEvent {
  const offered = interfacesOf(card);
  return {
    kind: 'card',
    name: card.name,
    versions: offered.length > 0 ? ['0.3'] : [],
    bindings: [...new Set(offered.map(({ transport }) => transport))],
    skills: (card.skills ?? []).map((skill) => skill.id),
  };
}

export function seenPushConfig({ taskId, pushNotificationConfig }: TaskPushNotificationConfig): SeenEvent {
  return { kind: 'pushConfig', taskId, id: pushNotificationConfig.id ?? '', url: pushNotificationConfig.url };
}

function seenArtifact(artifact: Artifact) {
  return {
    artifactId: artifact.artifactId,
    ...(artifact.name && { name: artifact.name }),
    text: textOf(artifact),
    contents: artifact.parts.map(seenContent),
  };
}

function seenContent(part: Part) {
  if (part.kind === 'text') return { kind: 'text', content: part.text };
  if (part.kind === 'data') return { kind: 'data', content: part.data };
  const { file } = part;
  return {
    ...('bytes' in file ? { kind: 'raw', content: file.bytes } : { kind: 'url', content: file.uri }),
    ...(file.mimeType && { mediaType: file.mimeType }),
    ...(file.name && { filename: file.name }),
  };
}
