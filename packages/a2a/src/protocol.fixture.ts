import type { Json } from '@plugfest/model';

/** A 1.0 task with each sort of content. */
export const task: Json = {
  id: 'task-1',
  contextId: 'context-1',
  status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00.000Z' },
  artifacts: [{ artifactId: 'a', parts: [{ text: 'done', mediaType: 'text/plain' }] }],
  history: [{ messageId: 'm', role: 'ROLE_USER', parts: [{ raw: 'AA==', mediaType: 'image/png' }] }],
};

export const message: Json = {
  messageId: 'm-1',
  role: 'ROLE_USER',
  parts: [{ text: 'hello' }],
  referenceTaskIds: ['t0'],
};

export const rpc = (method: string, params?: Json): Json => ({
  jsonrpc: '2.0',
  id: 'x',
  method,
  ...(params === undefined ? {} : { params }),
});
export const result = (value: Json): Json => ({ jsonrpc: '2.0', id: 'x', result: value });
export const failure = (error: Json): Json => ({ jsonrpc: '2.0', id: 'x', error });
