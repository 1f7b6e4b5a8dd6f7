import type { Example } from '@plugfest/verifier/examples';
import { grpc, grpcBytes, grpcFrame, grpcStream, rpc, v1 } from '@plugfest/verifier/examples';
import { text, varint, message as within } from './wire-bytes.ts';

const get = { method: 'GetTask', request: { id: 'task-1' } } as const;

/** Calls of 1.0 that are right. */
export const faultless10 = {
  get: [grpc({ ...get, response: v1.task('WORKING') })],
  send: [
    grpc({
      method: 'SendMessage',
      request: { message: v1.message('hello') },
      response: { task: v1.task('COMPLETED') },
    }),
  ],
  stream: [
    grpcStream({
      method: 'SendStreamingMessage',
      request: { message: v1.message('hello') },
      events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')],
    }),
  ],
} as const satisfies Readonly<Record<string, Example>>;

/** A call of 1.0 over JSON-RPC, which rules of gRPC have nothing to do with. */
export const elsewhere: Example = [rpc({ ...get, params: { id: 'task-1' }, result: v1.task('WORKING') })];

const status03 = { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:09.000Z' };

/** Objects of 0.3 as its proto prints them. */
export const v03 = {
  message: { messageId: 'm-hello', role: 'ROLE_USER', content: [{ text: 'hello' }] },
  task: {
    id: 'task-1',
    contextId: 'ctx-1',
    status: status03,
    artifacts: [{ artifactId: 'artifact-1', name: 'out', parts: [{ text: 'answer' }] }],
  },
} as const;

/** Calls of 0.3 that are right. */
export const faultless03 = {
  get: [grpc({ version: '0.3', method: 'GetTask', request: { name: 'tasks/task-1' }, response: v03.task })],
  send: [
    grpc({
      version: '0.3',
      method: 'SendMessage',
      request: { message: v03.message },
      response: { task: v03.task },
    }),
  ],
} as const satisfies Readonly<Record<string, Example>>;

/** Bytes of a 1.0 GetTaskRequest and of the Task that answers it. */
export const getTaskBytes = grpcFrame(text(2, 'task-1'));
export const taskBytes = (...more: readonly Uint8Array[]): Uint8Array =>
  grpcFrame(Buffer.concat([text(1, 'task-1'), text(2, 'ctx-1'), within(3, varint(1, 2)), ...more]));

/** A 1.0 GetTask as bytes. */
export const gotBytes = (more: Partial<Parameters<typeof grpcBytes>[0]> = {}): Example => [
  grpcBytes({ method: 'GetTask', request: [getTaskBytes], response: [taskBytes()], ...more }),
];

/** The same of 0.3: the name of the task is field 1. */
export const gotBytes03 = (more: Partial<Parameters<typeof grpcBytes>[0]> = {}): Example => [
  grpcBytes({
    version: '0.3',
    method: 'GetTask',
    request: [grpcFrame(text(1, 'tasks/task-1'))],
    response: [taskBytes()],
    ...more,
  }),
];
