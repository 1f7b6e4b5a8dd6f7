import type { JsonObject } from '@plugfest/model';
import {
  deliver,
  type ExampleExchange,
  getCard,
  rest,
  restError,
  restStream,
  rpc,
  rpcStream,
  v1,
  v03,
} from '@plugfest/verifier/examples';

/** Stands for the number of a round in all ids of it. */
const place = '@@';
/** Stands for the second at which an exchange of a round takes place. */
const timePlace = (step: number): string => `@T${step}@`;

const modern = (task: string) => {
  const ids = { id: `task-${task}-${place}`, contextId: `ctx-${place}` };
  const owner = { taskId: ids.id, contextId: ids.contextId };
  return {
    ids,
    owner,
    task: (state: string, more: JsonObject = {}) => v1.task(state, { ...ids, ...more }),
    statusUpdate: (state: string) => v1.statusUpdate(state, owner),
    artifactUpdate: (text: string, more: JsonObject = {}) => v1.artifactUpdate(text, { ...owner, ...more }),
    message: (text: string, more: JsonObject = {}) =>
      v1.message(text, { messageId: `m-${task}-${place}`, ...more }),
  };
};

const legacy = (task: string) => {
  const ids = { id: `task-${task}-${place}`, contextId: `old-ctx-${place}` };
  const owner = { taskId: ids.id, contextId: ids.contextId };
  return {
    ids,
    task: (state: string) => v03.task(state, ids),
    statusUpdate: (state: string) => v03.statusUpdate(state, owner),
    artifactUpdate: (text: string) => v03.artifactUpdate(text, owner),
    message: (text: string) => v03.message(text, { messageId: `m-${task}-${place}` }),
  };
};

const [a, b, c, d] = [modern('a'), modern('b'), modern('c'), modern('d')];
const [x, y] = [legacy('x'), legacy('y')];
const text = 'Three hotels near the station have a room for two nights, breakfast included, from 92 euros.';
const history = [
  v1.message('Find a hotel', { messageId: `m-a-${place}`, ...a.owner }),
  v1.reply('Looking', { messageId: `r-a-${place}`, ...a.owner }),
];
const config = v1.pushConfig({
  taskId: b.ids.id,
  url: `https://hook.example/push/${place}`,
  token: `token-${place}`,
  authentication: { scheme: 'Bearer', credentials: `cred-${place}` },
});
const hook = {
  url: `https://hook.example/push/${place}`,
  headers: { 'X-A2A-Notification-Token': `token-${place}`, Authorization: `Bearer cred-${place}` },
};
const v03Agent = { version: '0.3', to: 'old agent' } as const;
const unknown = `no-task-${place}`;

/** One round: what a client, two agents and a webhook do with six tasks, over both bindings and two versions. */
const round: readonly ExampleExchange[] = [
  // Task a: sent, polled, done, over JSON-RPC.
  rpc({
    method: 'SendMessage',
    params: { message: a.message('Find a hotel'), configuration: { returnImmediately: true } },
    result: { task: a.task('WORKING') },
  }),
  rpc({ method: 'GetTask', params: { id: a.ids.id }, result: a.task('WORKING') }),
  rpc({
    method: 'GetTask',
    params: { id: a.ids.id },
    result: a.task('COMPLETED', { artifacts: [v1.artifact(text)], history }),
  }),
  // Task b: sent, a webhook registered and called, over HTTP+JSON.
  rest({
    verb: 'POST',
    path: '/message:send',
    body: { message: b.message('Book a room'), configuration: { returnImmediately: true } },
    response: { task: b.task('WORKING') },
  }),
  rest({
    verb: 'POST',
    path: `/tasks/${b.ids.id}/pushNotificationConfigs`,
    body: config,
    response: { ...config, id: `config-${place}` },
  }),
  deliver(b.statusUpdate('WORKING'), hook),
  deliver({ task: b.task('COMPLETED') }, hook),
  rest({ verb: 'GET', path: `/tasks/${b.ids.id}`, response: b.task('COMPLETED') }),
  // Tasks c and d: streams.
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: c.message('Tell me') },
    events: [
      { task: c.task('SUBMITTED') },
      c.statusUpdate('WORKING'),
      c.artifactUpdate(text, { lastChunk: false }),
      c.artifactUpdate(text, { append: true }),
      c.statusUpdate('COMPLETED'),
    ],
  }),
  restStream({
    verb: 'POST',
    path: '/message:stream',
    body: { message: d.message('Tell me more') },
    events: [{ task: d.task('WORKING') }, d.artifactUpdate(text), d.statusUpdate('COMPLETED')],
  }),
  rest({
    verb: 'GET',
    path: `/tasks?contextId=ctx-${place}`,
    response: {
      tasks: [a.task('COMPLETED', { artifacts: [] }), b.task('COMPLETED', { artifacts: [] })].map(
        ({ artifacts: _, ...task }) => task,
      ),
      nextPageToken: '',
      pageSize: 50,
      totalSize: 2,
    },
  }),
  // Refusals in both bindings.
  rpc({
    method: 'GetTask',
    params: { id: unknown },
    error: { code: -32001, message: 'Task not found', data: [v1.errorInfo('TASK_NOT_FOUND')] },
  }),
  rest({
    verb: 'POST',
    path: `/tasks/${d.ids.id}:cancel`,
    body: {},
    status: 400,
    response: restError(400, 'FAILED_PRECONDITION', 'Task is done', [v1.errorInfo('TASK_NOT_CANCELABLE')]),
  }),
  getCard(v1.card()),
  // An agent that speaks 0.3.
  getCard(v03.card(), { to: 'old agent' }),
  rpc({
    ...v03Agent,
    method: 'message/send',
    params: { message: x.message('hello') },
    result: x.task('working'),
  }),
  rpc({ ...v03Agent, method: 'tasks/get', params: { id: x.ids.id }, result: x.task('completed') }),
  rpcStream({
    ...v03Agent,
    method: 'message/stream',
    params: { message: y.message('hello again') },
    events: [
      y.task('submitted'),
      y.statusUpdate('working'),
      y.artifactUpdate(text),
      y.statusUpdate('completed'),
    ],
  }),
  rpc({
    ...v03Agent,
    method: 'tasks/cancel',
    params: { id: y.ids.id },
    error: { code: -32002, message: 'Task cannot be canceled' },
  }),
  // Traffic that is not A2A.
  {
    from: 'client',
    to: 'agent',
    request: { method: 'GET', url: 'https://agent.example/healthz', headers: { Accept: '*/*' } },
    response: { status: 200, headers: { 'Content-Type': 'text/plain' }, body_raw: 'ok' },
  },
];

const template = round.map((exchange, step) => JSON.stringify({ ...exchange, at: timePlace(step) }));
const startMs = Date.parse('2026-01-01T00:00:00.000Z');

/** Exchange NDJSON of a mixed capture, line by line. Each round has ids of its own, and takes twenty seconds. */
export function* mixedTraffic(exchanges: number): Generator<string> {
  for (let n = 0; n < exchanges; n += 1) {
    const step = n % round.length;
    const line = template[step] ?? '';
    const at = new Date(startMs + n * 1000).toISOString();
    yield line.replaceAll(place, String(Math.floor(n / round.length))).replace(timePlace(step), at);
  }
}
