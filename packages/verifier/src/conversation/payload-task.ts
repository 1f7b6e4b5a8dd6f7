import type { Payload } from '@plugfest/a2a';

/** The task that a payload speaks of. */
export function taskIdOf(payload: Payload): string | undefined {
  switch (payload.kind) {
    case 'task':
      return payload.task.id;
    case 'statusUpdate':
    case 'artifactUpdate':
      return payload.update.taskId;
    case 'message':
      return payload.message.taskId;
    case 'pushConfig':
      return payload.config.taskId;
    case 'card':
      return undefined;
  }
}
