import { decodeExchange } from '@plugfest/a2a';
import { type EdgeKind, edgeId, exchangeId, isJsonObject, type Json } from '@plugfest/model';

/** What is known of a request when faults are chosen. */
export interface FaultRequest {
  readonly method: string;
  readonly target: string;
  /** True for a GET of an agent card, at the protocol's paths or the callee's own. */
  readonly card: boolean;
  readonly headers: readonly string[];
  /** Undefined where it was not held. */
  readonly body: Buffer | undefined;
}

interface Meaning {
  /** By its 1.0 name; `card`, `webhook`, or empty for anything else. */
  readonly operation: string;
  /** Tasks that the request names. */
  readonly tasks: readonly string[];
}

/** Reads what a request asks for, in any dialect. Only called where a fault is chosen by it. */
export function readRequest({ method, target, card, headers, body }: FaultRequest, kind: EdgeKind): Meaning {
  const bytes = body ?? Buffer.alloc(0);
  const decoded = decodeExchange({
    id: exchangeId('x'),
    seq: 0,
    edge: { id: edgeId('e'), caller: 'caller', callee: 'callee', kind, mode: 'alias' },
    purpose: 'normal',
    request: {
      atNs: 0,
      method,
      target,
      httpVersion: headers[0]?.startsWith(':') ? '2.0' : '1.1',
      headers,
      body: {
        chunks: bytes.length === 0 ? [] : [{ seq: 1, atNs: 0, bytes }],
        totalBytes: bytes.length,
        storedBytes: bytes.length,
        endedAtNs: 0,
      },
    },
    end: { kind: 'open' },
    changes: [],
  });
  const tasks = new Set<string>();
  const add = (id: Json | undefined): void => {
    if (typeof id === 'string' && id !== '') tasks.add(id);
  };
  for (const payload of decoded.payloads) {
    if (payload.kind === 'task') add(payload.task.id);
    else if (payload.kind === 'message') add(payload.message.taskId);
    else if (payload.kind === 'pushConfig') add(payload.config.taskId);
    else if (payload.kind !== 'card') add(payload.update.taskId);
  }
  const { params } = decoded.request;
  // Params of operations on a task name it in `id`, those of push configs in `taskId` (1.0) or `id` (0.3).
  if (decoded.kind === 'operation' && isJsonObject(params)) {
    add(params.taskId);
    add(params.id);
  }
  return {
    operation:
      decoded.operation ?? (kind === 'webhook' ? 'webhook' : card || decoded.kind === 'card' ? 'card' : ''),
    tasks: [...tasks],
  };
}
