import type { Example } from '@plugfest/verifier/examples';
import { deliver, getCard, rest, restV03, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const message = v1.message('hello');

/** Traffic of 1.0 that is right, over every binding that speaks JSON. */
export const faultless10: Readonly<Record<'rpc' | 'rest' | 'stream' | 'webhook' | 'card', Example>> = {
  rpc: [rpc({ method: 'SendMessage', params: { message }, result: { task: v1.task('COMPLETED') } })],
  rest: [
    rest({
      verb: 'POST',
      path: '/message:send',
      body: { message },
      response: { task: v1.task('COMPLETED') },
    }),
  ],
  stream: [
    rpcStream({
      method: 'SendStreamingMessage',
      params: { message },
      events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')],
    }),
  ],
  webhook: [deliver(v1.statusUpdate('COMPLETED'))],
  card: [getCard(v1.card())],
};

/** A 1.0 call over JSON-RPC that holds no object of the protocol. */
export const withoutObjects: Example = [
  rpc({ method: 'GetExtendedAgentCard', error: { code: -32603, message: 'Internal error' } }),
];

/** Traffic of 0.3 over JSON-RPC that is right. */
export const faultless03: Readonly<Record<'rpc' | 'stream', Example>> = {
  rpc: [
    rpc({
      version: '0.3',
      method: 'message/send',
      params: { message: v03.message('hello') },
      result: v03.task('completed'),
    }),
  ],
  stream: [
    rpcStream({
      version: '0.3',
      method: 'message/stream',
      params: { message: v03.message('hello') },
      events: [v03.task('working'), v03.artifactUpdate('answer'), v03.statusUpdate('completed')],
    }),
  ],
};

/** A 1.0 GetTask over JSON-RPC with this task as its result. */
export const gotTask = (task: Parameters<typeof v1.task>[1], state = 'COMPLETED'): Example => [
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state, task) }),
];

/** A 0.3 GET of a task over HTTP+JSON with this task as its result. */
export const gotLegacyTaskOverRest = (task: Parameters<typeof v03.task>[1], state = 'completed'): Example => [
  restV03({ verb: 'GET', path: '/v1/tasks/task-1', response: v03.task(state, task) }),
];

/** A 0.3 tasks/get over JSON-RPC with this task as its result. */
export const gotLegacyTask = (task: Parameters<typeof v03.task>[1], state = 'completed'): Example => [
  rpc({
    version: '0.3',
    method: 'tasks/get',
    params: { id: 'task-1' },
    result: v03.task(state, task),
  }),
];
