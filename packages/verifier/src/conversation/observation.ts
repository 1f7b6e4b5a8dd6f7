import type { Payload } from '@plugfest/a2a';
import type { Dialect } from '@plugfest/model';
import { digestArtifact } from '../digest.ts';
import type { ArtifactDigest, Channel, ExchangeRef, TaskObservation } from '../subjects.ts';

/** A payload that shows a task, or a change of one. */
export type TaskPayload = Payload & { readonly kind: 'task' | 'statusUpdate' | 'artifactUpdate' };

export const isTaskPayload = (payload: Payload): payload is TaskPayload =>
  payload.kind === 'task' || payload.kind === 'statusUpdate' || payload.kind === 'artifactUpdate';

export interface Seen {
  readonly exchange: ExchangeRef;
  readonly channel: Channel;
  readonly dialect: Dialect;
  /** The webhook that was called, for deliveries. */
  readonly webhook: string | undefined;
}

/** What rules compare of a look at a task. All observations have the same members, so that many of them stay small. */
export function observationOf(seen: Seen, payload: TaskPayload): TaskObservation {
  const { exchange, channel, dialect, webhook } = seen;
  const { kind, atNs, side, pointer, event } = payload;
  const update = kind === 'artifactUpdate' ? payload.update : undefined;
  const owner = kind === 'task' ? payload.task : kind === 'statusUpdate' ? payload.update : undefined;
  const message = owner?.status.message;
  return {
    exchange,
    seq: exchange.seq,
    atNs,
    side,
    event,
    pointer,
    channel,
    webhook,
    version: dialect.version,
    binding: dialect.binding,
    kind,
    state: owner?.status.state,
    timestamp: owner?.status.timestamp,
    contextId: owner === undefined ? update?.contextId : owner.contextId,
    artifacts: kind === 'task' ? payload.task.artifacts?.map(digestArtifact) : artifactsOf(update?.artifact),
    append: update?.append ?? false,
    lastChunk: update?.lastChunk ?? false,
    statusMessage: message && {
      role: message.role,
      taskId: message.taskId,
      contextId: message.contextId,
    },
    historyLength: kind === 'task' ? payload.task.history?.length : undefined,
    lastMessageId: kind === 'task' ? payload.task.history?.at(-1)?.messageId : undefined,
  };

  function artifactsOf(
    artifact: Parameters<typeof digestArtifact>[0] | undefined,
  ): readonly ArtifactDigest[] | undefined {
    if (kind !== 'artifactUpdate') return undefined;
    return artifact === undefined ? [] : [digestArtifact(artifact)];
  }
}
