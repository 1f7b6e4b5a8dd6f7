import type { TaskState } from '@plugfest/model';
import { z } from 'zod';
import { DriveFailure, type DriveResult } from './drive.ts';

const states = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const satisfies readonly TaskState[];

const state = z.enum(states);
// SDKs read absent strings as empty ones, and some as null.
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const optionalText = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const content = z.object({
  kind: z.enum(['text', 'raw', 'url', 'data', 'unknown']).catch('unknown'),
  mediaType: optionalText,
  filename: optionalText,
  content: z.json().optional(),
});
const artifact = z.object({
  artifactId: text,
  name: optionalText,
  text,
  contents: z
    .array(content)
    .nullish()
    .transform((list) => list ?? undefined),
});
const count = z
  .int()
  .min(0)
  .nullish()
  .transform((value) => value ?? undefined);

const event = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('task'),
    taskId: text,
    contextId: text,
    state,
    text,
    artifacts: z
      .array(artifact)
      .nullish()
      .transform((list) => list ?? []),
    history: count,
  }),
  z.object({
    kind: z.literal('message'),
    messageId: text,
    taskId: optionalText,
    contextId: optionalText,
    role: text,
    text,
  }),
  z.object({ kind: z.literal('status'), taskId: text, contextId: text, state, text }),
  z.object({
    kind: z.literal('artifact'),
    taskId: text,
    contextId: text,
    artifact,
    append: z.boolean().nullish().transform(Boolean),
    lastChunk: z.boolean().nullish().transform(Boolean),
  }),
  z.object({
    kind: z.literal('card'),
    name: text,
    versions: z.array(z.string()),
    bindings: z.array(z.string()),
    skills: z
      .array(z.string())
      .nullish()
      .transform((list) => list ?? []),
  }),
  z.object({ kind: z.literal('page'), nextPageToken: text, totalSize: count }),
  z.object({ kind: z.literal('pushConfig'), taskId: text, id: text, url: text }),
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('closed'), by: z.enum(['server', 'client']) }),
]);

const driveResult = z.object({
  plugfest: z.literal('drive-result/1'),
  op: z.string(),
  ok: z.boolean(),
  // a2a-go copies what an agent says in a way that loses empty lists.
  events: z
    .array(event)
    .max(10_000)
    .nullish()
    .transform((list) => list ?? []),
  error: z
    .object({
      name: text,
      code: z
        .number()
        .nullish()
        .transform((value) => value ?? undefined),
      message: text,
    })
    .nullish()
    .transform((value) => value ?? undefined),
});

/**
 * Reads a `drive-result/1` (docs/lab-agents.md). Members without a value are dropped.
 * @throws DriveFailure where it is none, or answers another call.
 */
export function readDriveResult(value: unknown, op: string, agent: string): DriveResult {
  const parsed = driveResult.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new DriveFailure(
      `${agent} gave a malformed drive-result: /${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'unreadable'}`,
    );
  }
  if (parsed.data.op !== op)
    throw new DriveFailure(`${agent} answered the drive call ${op} with a result for ${parsed.data.op}`);
  if (!parsed.data.ok && !parsed.data.error)
    throw new DriveFailure(`${agent} says that ${op} failed, but not how`);
  const { ok, events, error } = withoutUndefined(parsed.data);
  return { ok, events, ...(error ? { error } : {}) };
}

/** A JSON round trip drops members that are undefined, and the value came from JSON. */
function withoutUndefined(value: z.infer<typeof driveResult>): DriveResult {
  return JSON.parse(JSON.stringify(value)) as DriveResult;
}
