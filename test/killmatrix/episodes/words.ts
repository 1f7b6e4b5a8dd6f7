import type { Json, JsonObject } from '@plugfest/model';
import {
  type ExampleExchange,
  type HttpExampleExchange,
  type More,
  rpc,
  rpcStream,
  timed,
  v1,
} from '@plugfest/verifier/examples';

/** What the episodes are written with. Every exchange has a second of the session's clock, and credentials. */

const startMs = Date.UTC(2026, 0, 1);

export const instant = (second: number): string => new Date(startMs + second * 1000 + 250).toISOString();

export function status(state: string, second: number, more: More = {}): JsonObject {
  return v1.status(state, { timestamp: instant(second), ...more });
}

/** A task of an episode: its ids are the episode's name. */
export function task(name: string, state: string, second: number, more: More = {}): JsonObject {
  const output = state === 'COMPLETED' ? { artifacts: [v1.artifact('answer')] } : {};
  return v1.task(state, {
    id: `task-${name}`,
    contextId: `ctx-${name}`,
    status: status(state, second),
    artifacts: undefined,
    ...output,
    ...more,
  });
}

export function reply(name: string, text: string, more: More = {}): JsonObject {
  return v1.reply(text, { taskId: `task-${name}`, contextId: `ctx-${name}`, ...more });
}

export const statusEvent = (name: string, state: string, second: number, more: More = {}): JsonObject =>
  v1.statusUpdate(state, {
    taskId: `task-${name}`,
    contextId: `ctx-${name}`,
    status: status(state, second, more),
  });

export const artifactEvent = (name: string, text: string, more: More = {}): JsonObject =>
  v1.artifactUpdate(text, { taskId: `task-${name}`, contextId: `ctx-${name}`, ...more });

const credentials = { Authorization: 'Bearer user-1' } as const;

interface Call {
  readonly method: string;
  readonly params?: Json;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly from?: string;
  readonly to?: string;
  readonly purpose?: 'probe';
}

interface Answer {
  readonly result?: Json;
  readonly error?: Json;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly responseText?: string;
}

let ids = 0;
const nextId = (): number => {
  ids += 1;
  return ids;
};

/** A call at a second of the session. */
export function call(second: number, { headers, ...asked }: Call & Answer): ExampleExchange {
  return timed(rpc({ id: nextId(), ...asked, headers: { ...credentials, ...headers } }), second);
}

/** A streaming call, whose events come a second apart unless told otherwise. */
export function stream(
  second: number,
  { headers, ...asked }: Call,
  events: readonly Json[],
  seconds: readonly number[] = events.map((_event, index) => second + index),
): HttpExampleExchange {
  return timed(
    rpcStream({ id: nextId(), ...asked, events, headers: { ...credentials, ...headers } }),
    second,
    seconds,
  );
}

export function failure(code: number, reason: string, message: string): Json {
  return { code, message, data: [v1.errorInfo(reason)] };
}

/** The refusal of a request that lacks something, which it names. */
export const invalid = (field: string): Json => ({
  code: -32602,
  message: `${field} is missing`,
  data: [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field, description: 'It is required' }],
    },
  ],
});

export const notFound: Json = failure(-32001, 'TASK_NOT_FOUND', 'No such task');

/** More than a remark. */
export const longAnswer = 'The answer is 4, because two and two make four.\n'.repeat(12);

export const at = (exchange: ExampleExchange, second: number): ExampleExchange => timed(exchange, second);
