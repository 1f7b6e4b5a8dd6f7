import type { Json } from '@plugfest/model';
import type { Example } from '@plugfest/verifier/examples';
import { rpc } from '@plugfest/verifier/examples';

/** A 0.1 `tasks/send` with one part in its message, answered by a task in one state. */
export function sentTask(part: Json, state: Json = 'completed'): Example {
  return [
    rpc({
      version: '0.3',
      method: 'tasks/send',
      params: { id: 'task-1', sessionId: 'session-1', message: { role: 'user', parts: [part] } },
      result: { id: 'task-1', sessionId: 'session-1', status: { state, timestamp: '2026-01-01T00:00:01Z' } },
    }),
  ];
}
