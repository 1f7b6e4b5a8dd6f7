import type {
  AgentCard,
  Artifact,
  ListTasksResponse,
  Message,
  Part,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { TaskState } from '@a2a-js/sdk';
import { textOf } from '../parts.ts';

/** One thing that the agent's client saw, in the words of a drive result. */
export type SeenEvent = { readonly kind: string; readonly [member: string]: unknown };

function stateName(state: TaskState | undefined): string {
  return TaskState[state ?? TaskState.TASK_STATE_UNSPECIFIED] ?? 'UNRECOGNIZED';
}

export function seenTask(task: Task): SeenEvent {
  return {
    kind: 'task',
    taskId: task.id,
    contextId: task.contextId,
    state: stateName(task.status?.state),
    text: textOf(task.status?.message),
    artifacts: (task.artifacts ?? []).map(seenArtifact),
    history: (task.history ?? []).length,
  };
}

function seenMessage(message: Message): SeenEvent {
  return {
    kind: 'message',
    messageId: message.messageId,
    ...(message.taskId && { taskId: message.taskId }),
    ...(message.contextId && { contextId: message.contextId }),
    role: message.role === 2 ? 'ROLE_AGENT' : message.role === 1 ? 'ROLE_USER' : 'ROLE_UNSPECIFIED',
    text: textOf(message),
  };
}

export function seenResult(result: Message | Task): SeenEvent {
  return 'messageId' in result ? seenMessage(result) : seenTask(result);
}

export function seenStreamEvent({ payload }: StreamResponse): SeenEvent {
  switch (payload?.$case) {
    case 'task':
      return seenTask(payload.value);
    case 'message':
      return seenMessage(payload.value);
    case 'statusUpdate': {
      const { taskId, contextId, status } = payload.value;
      return {
        kind: 'status',
        taskId,
        contextId,
        state: stateName(status?.state),
        text: textOf(status?.message),
      };
    }
    case 'artifactUpdate': {
      const { taskId, contextId, artifact, append, lastChunk } = payload.value;
      return {
        kind: 'artifact',
        taskId,
        contextId,
        artifact: artifact && seenArtifact(artifact),
        append,
        lastChunk,
      };
    }
    case undefined:
      return { kind: 'unknown' };
  }
}

export function seenCard(card: AgentCard): SeenEvent {
  const offered = card.supportedInterfaces ?? [];
  return {
    kind: 'card',
    name: card.name,
    versions: [...new Set(offered.map((offer) => offer.protocolVersion))],
    bindings: [...new Set(offered.map((offer) => offer.protocolBinding))],
    skills: (card.skills ?? []).map((skill) => skill.id),
  };
}

/** The end of a list. */
export function seenPage({ nextPageToken, totalSize }: ListTasksResponse): SeenEvent {
  return { kind: 'page', nextPageToken: nextPageToken ?? '', ...(totalSize !== undefined && { totalSize }) };
}

export function seenPushConfig({ taskId, id, url }: TaskPushNotificationConfig): SeenEvent {
  return { kind: 'pushConfig', taskId, id, url };
}

function seenArtifact(artifact: Artifact) {
  return {
    artifactId: artifact.artifactId,
    ...(artifact.name && { name: artifact.name }),
    text: textOf(artifact),
    contents: (artifact.parts ?? []).flatMap(seenContent),
  };
}

function seenContent({ content, mediaType, filename }: Part) {
  if (!content) return [];
  return [
    {
      kind: content.$case,
      ...(mediaType && { mediaType }),
      ...(filename && { filename }),
      content: content.$case === 'raw' ? Buffer.from(content.value).toString('base64') : content.value,
    },
  ];
}
