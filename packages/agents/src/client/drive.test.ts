import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningAgent, startAgent } from '../testing/lab.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook.ts';
import { dialects, drive, eventually, type Json, post, rpc, userMessage } from '../testing/wire.ts';

let amber: RunningAgent;
let basalt: RunningAgent;
let hooks: WebhookReceiver;
beforeAll(async () => {
  [amber, basalt, hooks] = await Promise.all([
    startAgent(['--name', 'amber']),
    startAgent(['--name', 'basalt', '--protocol', 'both']),
    startWebhookReceiver(),
  ]);
});
afterAll(() => Promise.all([amber.stop(), basalt.stop(), hooks.stop()]));

const message = (text: string, members: Json = {}) => ({ messageId: randomUUID(), text, ...members });

/** What the SDK's client makes of a refusal: only its 0.3 client over HTTP+JSON keeps no code. */
const notFoundCodes = {
  'JSONRPC 1.0': -32001,
  'JSONRPC 0.3': -32001,
  'HTTP+JSON 1.0': 404,
  'HTTP+JSON 0.3': undefined,
  'GRPC 1.0': 5,
  'GRPC 0.3': 5,
};

describe.each(dialects)('$binding $version', (dialect) => {
  // The 0.3 client of SDK 1.3.0 leaves `append` out of what it reads as protobuf or its JSON.
  const tellsAppend = dialect.version === '1.0' || dialect.binding === 'JSONRPC';
  // The proto of 0.3 has no names of files, and the SDK's HTTP+JSON of 0.3 is that of the proto.
  const keepsNames = tellsAppend;
  const call = (op: string, members: Json = {}) => drive(amber.url, basalt.url, dialect, { op, ...members });
  const begin = async (text: string) => {
    const { events } = await call('SendMessage', {
      message: message(text),
      configuration: { returnImmediately: true },
    });
    return events[0].taskId as string;
  };

  test('GetAgentCard tells name, versions and bindings', async () => {
    expect(await call('GetAgentCard')).toEqual({
      state: 'TASK_STATE_COMPLETED',
      artifactName: 'drive-result',
      plugfest: 'drive-result/1',
      op: 'GetAgentCard',
      ok: true,
      events: [
        {
          kind: 'card',
          name: 'basalt',
          versions: ['1.0', '0.3'],
          bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
          skills: ['lab'],
        },
      ],
    });
  });

  test('SendMessage sees the finished task with its artifact', async () => {
    const { ok, events } = await call('SendMessage', { message: message('plugfest-echo N1') });
    expect(ok).toBe(true);
    expect(events).toMatchObject([
      { kind: 'task', state: 'TASK_STATE_COMPLETED', text: 'N1', artifacts: [{ name: 'echo', text: 'N1' }] },
    ]);
  });

  test('SendMessage sees a Message', async () => {
    const { events } = await call('SendMessage', { message: message('tck-message-response') });
    expect(events).toMatchObject([{ kind: 'message', role: 'ROLE_AGENT', text: 'Direct message response' }]);
  });

  test('SendMessage keeps the context, and returns at once if asked', async () => {
    const contextId = randomUUID();
    const { events } = await call('SendMessage', {
      message: message('plugfest-slow 300 N', { contextId, referenceTaskIds: [randomUUID()] }),
      configuration: { returnImmediately: true, historyLength: 0, acceptedOutputModes: ['text/plain'] },
    });
    expect(events).toMatchObject([{ kind: 'task', contextId, state: 'TASK_STATE_SUBMITTED' }]);
  });

  test('SendMessage carries data', async () => {
    const { events } = await call('SendMessage', {
      message: { messageId: 'tck-complete-task-1', data: { a: [1] } },
    });
    expect(events).toMatchObject([{ state: 'TASK_STATE_COMPLETED', text: 'Hello from TCK' }]);
  });

  test('SendMessage with a taskId is a follow-up', async () => {
    const asked = (await call('SendMessage', { message: message('plugfest-ask N') })).events[0];
    expect(asked).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED', text: 'ask N' });
    const { taskId, contextId } = asked;
    const { events } = await call('SendMessage', { message: message('Ada', { taskId, contextId }) });
    expect(events).toMatchObject([{ taskId, state: 'TASK_STATE_COMPLETED', text: 'resumed: Ada' }]);
  });

  test('SendStreamingMessage sees each event and that the server closed', async () => {
    const { ok, events } = await call('SendStreamingMessage', { message: message('plugfest-echo N2') });
    expect(ok).toBe(true);
    expect(events).toMatchObject([
      { kind: 'task', state: 'TASK_STATE_SUBMITTED' },
      { kind: 'status', state: 'TASK_STATE_WORKING', text: '' },
      { kind: 'artifact', artifact: { name: 'echo', text: 'N' }, append: false, lastChunk: false },
      { kind: 'artifact', artifact: { name: 'echo', text: '2' }, append: tellsAppend, lastChunk: true },
      { kind: 'status', state: 'TASK_STATE_COMPLETED', text: 'N2' },
      { kind: 'closed', by: 'server' },
    ]);
  });

  test('a dropped stream leaves the task running, and SubscribeToTask takes it up again', async () => {
    const dropped = await call('SendStreamingMessage', {
      message: message('plugfest-slow 600 N3'),
      stopAfterEvents: 2,
    });
    expect(dropped.events).toMatchObject([
      { kind: 'task' },
      { kind: 'status', text: 'tick 1 N3' },
      { kind: 'closed', by: 'client' },
    ]);
    const { events } = await call('SubscribeToTask', { taskId: dropped.events[0].taskId });
    expect(events[0]).toMatchObject({ kind: 'task', state: 'TASK_STATE_WORKING' });
    expect(events.slice(-3)).toMatchObject([
      { kind: 'artifact', artifact: { text: 'N3' } },
      { kind: 'status', state: 'TASK_STATE_COMPLETED' },
      { kind: 'closed', by: 'server' },
    ]);
  });

  test('SubscribeToTask can be dropped as well', async () => {
    const taskId = await begin('plugfest-slow 400 N');
    const { events } = await call('SubscribeToTask', { taskId, stopAfterEvents: 1 });
    expect(events).toMatchObject([
      { kind: 'task', taskId },
      { kind: 'closed', by: 'client' },
    ]);
  });

  test('GetTask sees the task, and a refusal by its A2A name', async () => {
    const taskId = await begin('plugfest-echo N4');
    const { events } = await call('GetTask', { taskId, historyLength: 1 });
    expect(events).toMatchObject([{ kind: 'task', taskId }]);
    const refused = await call('GetTask', { taskId: 'no-such-task' });
    expect(refused).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      ok: false,
      error: { name: 'TaskNotFoundError' },
      events: [],
    });
    expect(refused.error.code).toBe(notFoundCodes[`${dialect.binding} ${dialect.version}`]);
  });

  test('ListTasks gives a page of tasks, where the SDK lists tasks', async () => {
    const contextId = randomUUID();
    const said = async (text: string) => {
      const { events } = await call('SendMessage', { message: message(text, { contextId }) });
      return events[0].taskId as string;
    };
    const older = await said('plugfest-echo N8');
    const newer = await said('tck-input-required');
    const first = await call('ListTasks', { contextId, pageSize: 1, historyLength: 0 });
    if (dialect.version === '0.3') {
      expect(first).toMatchObject({ ok: false, error: { name: 'UnsupportedByClient' }, events: [] });
      return;
    }
    expect(first.events).toMatchObject([
      { kind: 'task', taskId: newer, history: 0 },
      { kind: 'page', nextPageToken: expect.stringMatching(/./), totalSize: 2 },
    ]);
    const { nextPageToken: pageToken } = first.events[1];
    const second = await call('ListTasks', { contextId, pageSize: 1, pageToken, includeArtifacts: true });
    expect(second.events).toMatchObject([
      { kind: 'task', taskId: older, artifacts: [{ name: 'echo' }] },
      { kind: 'page', nextPageToken: '' },
    ]);
    const waiting = await call('ListTasks', { contextId, status: 'TASK_STATE_INPUT_REQUIRED' });
    expect(waiting.events).toMatchObject([{ taskId: newer }, { kind: 'page' }]);
  });

  test('an extended card is not asked for where the card offers none', async () => {
    expect(await call('GetExtendedAgentCard')).toMatchObject({
      ok: false,
      error: { name: 'UnsupportedByClient' },
    });
  });

  test('further parts come back unchanged, but for what 0.3 cannot carry', async () => {
    const raw = randomBytes(60_000).toString('base64');
    const url = 'https://example.com/a%20b.png?x=1';
    const { events } = await call('SendMessage', {
      message: message('plugfest-parts N9', {
        parts: [
          { raw, mediaType: 'application/octet-stream', filename: 'bytes.bin' },
          { url, mediaType: 'image/png', filename: 'ä.png' },
          { data: { deep: [1.5, null, { ä: true }] }, mediaType: 'application/json' },
          { text: 'no content' },
        ],
      }),
    });
    const [part] = events[0].artifacts;
    expect(events).toMatchObject([{ state: 'TASK_STATE_COMPLETED', text: 'N9' }]);
    const named = (filename: string) => (keepsNames ? { filename } : {});
    const typed = dialect.version === '0.3' ? {} : { mediaType: 'application/json' };
    expect(part).toMatchObject({
      name: 'parts',
      text: '',
      contents: [
        { kind: 'raw', mediaType: 'application/octet-stream', ...named('bytes.bin'), content: raw },
        { kind: 'url', mediaType: 'image/png', ...named('ä.png'), content: url },
        { kind: 'data', ...typed, content: { deep: [1.5, null, { ä: true }] } },
      ],
    });
  });

  test('the accepted output modes decide what comes back', async () => {
    const modes = async (acceptedOutputModes: readonly string[]) =>
      (
        await call('SendMessage', {
          message: message('plugfest-modes N10'),
          configuration: { acceptedOutputModes },
        })
      ).events[0];
    expect((await modes([])).artifacts).toMatchObject([{ name: 'modes', text: 'N10' }]);
    expect((await modes(['image/png', 'application/json', 'text/plain'])).artifacts).toMatchObject([
      { name: 'modes', contents: [{ kind: 'data', content: { nonce: 'N10' } }] },
    ]);
    expect(await modes(['image/png'])).toMatchObject({ state: 'TASK_STATE_REJECTED', artifacts: [] });
  });

  test('CancelTask cancels, and is refused once the task has ended', async () => {
    const taskId = await begin('plugfest-slow 5000 N5');
    expect((await call('CancelTask', { taskId })).events).toMatchObject([
      { taskId, state: 'TASK_STATE_CANCELED' },
    ]);
    const { events } = await call('SendMessage', { message: message('tck-complete-task') });
    expect(await call('CancelTask', { taskId: events[0].taskId })).toMatchObject({
      ok: false,
      error: { name: 'TaskNotCancelableError' },
    });
  });

  test('webhook configurations are created, read, listed and deleted', async () => {
    const taskId = await begin('tck-input-required');
    const url = `${hooks.url}/crud`;
    const created = await call('CreateTaskPushNotificationConfig', {
      taskId,
      push: { url, id: 'c1', token: 't' },
    });
    expect(created.events).toEqual([{ kind: 'pushConfig', taskId, id: 'c1', url }]);
    const read = await call('GetTaskPushNotificationConfig', { taskId, configId: 'c1' });
    expect(read.events).toEqual(created.events);
    const listed = await call('ListTaskPushNotificationConfigs', { taskId });
    expect(listed.events).toEqual(created.events);
    const deleted = await call('DeleteTaskPushNotificationConfig', { taskId, configId: 'c1' });
    expect(deleted).toMatchObject({ ok: true, events: [] });
    expect(await call('GetTaskPushNotificationConfig', { taskId, configId: 'c1' })).toMatchObject({
      ok: false,
    });
  });

  test('a webhook given with the message gets the token', async () => {
    const path = `/${randomUUID()}`;
    await call('SendMessage', {
      message: message('plugfest-echo N6'),
      configuration: { push: { url: hooks.url + path, token: 'secret-1' } },
    });
    const received = () => hooks.deliveries.filter((delivery) => delivery.path === path);
    await eventually(() => received().length === 5);
    for (const { headers } of received()) expect(headers['x-a2a-notification-token']).toBe('secret-1');
    const last = received().at(-1)?.body;
    expect(dialect.version === '0.3' ? last.status.state : last.statusUpdate.status.state).toBe(
      dialect.version === '0.3' ? 'completed' : 'TASK_STATE_COMPLETED',
    );
  });

  test('a webhook registered later gets the credentials', async () => {
    const path = `/${randomUUID()}`;
    const taskId = await begin('plugfest-slow 500 N7');
    const push = { url: hooks.url + path, authentication: { scheme: 'Bearer', credentials: 'secret-2' } };
    expect(await call('CreateTaskPushNotificationConfig', { taskId, push })).toMatchObject({ ok: true });
    await eventually(() => hooks.deliveries.some((delivery) => delivery.path === path));
    expect(hooks.deliveries.find((delivery) => delivery.path === path)?.headers.authorization).toBe(
      'Bearer secret-2',
    );
  });

  test('16 calls at once do not cross', async () => {
    const nonces = Array.from({ length: 16 }, (_, index) => `nonce-${index}-${randomUUID()}`);
    const seen = await Promise.all(
      nonces.map(async (nonce, index) => {
        const op = index % 2 ? 'SendMessage' : 'SendStreamingMessage';
        const { events } = await call(op, { message: message(`plugfest-echo ${nonce}`) });
        const ended = events.filter((event: Json) => event.kind !== 'closed').at(-1);
        return ended.text;
      }),
    );
    expect(seen).toEqual(nonces);
  });
});

const jsonRpc = { binding: 'JSONRPC', version: '1.0' } as const;

test('a 0.3-only agent is driven in 0.3, and has no 1.0 interface', async () => {
  const cobalt = await startAgent(['--name', 'cobalt', '--protocol', '0.3']);
  try {
    const call = { op: 'SendStreamingMessage', message: message('plugfest-echo N8') };
    const old = await drive(amber.url, cobalt.url, { binding: 'JSONRPC', version: '0.3' }, call);
    expect(old.events.at(-2)).toMatchObject({ state: 'TASK_STATE_COMPLETED', text: 'N8' });
    expect(await drive(amber.url, cobalt.url, jsonRpc, call)).toMatchObject({
      ok: false,
      error: { name: 'NoMatchingInterface' },
    });
  } finally {
    await cobalt.stop();
  }
});

test('an interface that the card lacks is not replaced by another', async () => {
  const onlyRpc = await startAgent(['--bindings', 'JSONRPC']);
  try {
    const call = { op: 'GetTask', taskId: 'x' };
    const result = await drive(amber.url, onlyRpc.url, { binding: 'GRPC', version: '1.0' }, call);
    expect(result).toMatchObject({ ok: false, error: { name: 'NoMatchingInterface' } });
  } finally {
    await onlyRpc.stop();
  }
});

test('a peer that does not answer is a result', async () => {
  const result = await drive(amber.url, 'http://127.0.0.1:9', jsonRpc, { op: 'GetAgentCard' });
  expect(result).toMatchObject({ state: 'TASK_STATE_COMPLETED', ok: false, error: { name: 'TypeError' } });
});

test.each([
  [{ op: 'Guess' }, 'Guess is not one of'],
  [{ op: 'GetTask' }, 'the call has no taskId'],
  [{ op: 'SendMessage' }, 'the call has no message'],
  [{ op: 'GetTask', taskId: 'x', historyLength: 'all' }, 'historyLength is not a whole number'],
  [{ op: 'ListTasks', status: 'DONE' }, 'status DONE is no TASK_STATE_…'],
  [{ op: 'SendMessage', message: { messageId: 'm', parts: [{}] } }, 'a part has no text, raw, url or data'],
])('the call %j is refused with its reason', async (call, reason) => {
  const result = await drive(amber.url, basalt.url, jsonRpc, call);
  expect(result).toMatchObject({ ok: false, error: { name: 'InvalidDriveCall' } });
  expect(result.error.message).toContain(reason);
});

test('a 0.3 agent takes a drive in a 0.3 data part', async () => {
  const cobalt = await startAgent(['--protocol', '0.3']);
  try {
    const call = { op: 'SendMessage', message: message('plugfest-echo N9') };
    const data = { plugfest: 'drive/1', card: basalt.url, binding: 'HTTP+JSON', version: '1.0', call };
    const asked = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'data', data }] };
    const params = { message: asked, configuration: { blocking: true } };
    const body = { jsonrpc: '2.0', id: 1, method: 'message/send', params };
    const { result } = (await (await post(`${cobalt.url}/jsonrpc`, body, '0.3')).json()) as Json;
    expect(result.artifacts[0].parts[0].data).toMatchObject({ ok: true, events: [{ text: 'N9' }] });
  } finally {
    await cobalt.stop();
  }
});

test('a drive that is cancelled gives up its call', async () => {
  const call = {
    op: 'SendStreamingMessage',
    message: message('tck-long-running', { contextId: randomUUID() }),
  };
  const data = { plugfest: 'drive/1', card: basalt.url, ...jsonRpc, call };
  const { task } = (
    await rpc(amber.url, 'SendMessage', {
      message: userMessage([{ data }]),
      configuration: { returnImmediately: true },
    })
  ).result;
  const { result } = await rpc(amber.url, 'CancelTask', { id: task.id });
  expect(result.status.state).toBe('TASK_STATE_CANCELED');
  expect((await rpc(amber.url, 'GetTask', { id: task.id })).result.artifacts ?? []).toEqual([]);
});

test('a card of both forms gives its 0.3 endpoint to a 0.3 drive', async () => {
  const methods: string[] = [];
  const peer = createServer(async (request, response) => {
    const base = `http://${request.headers.host}`;
    if (request.method === 'GET') {
      const offer = { url: `${base}/new`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
      const legacy = { url: `${base}/old`, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' };
      const modes = { defaultInputModes: [], defaultOutputModes: [], skills: [] };
      const card = { name: 'both', supportedInterfaces: [offer], ...legacy, ...modes, capabilities: {} };
      response.end(JSON.stringify(card));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    methods.push(`${request.url} ${method}`);
    const result = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
    const call = { op: 'GetTask', taskId: 't' };
    const result = await drive(amber.url, url, { binding: 'JSONRPC', version: '0.3' }, call);
    expect(result.events).toMatchObject([{ kind: 'task', taskId: 't', state: 'TASK_STATE_WORKING' }]);
    expect(methods).toEqual(['/old tasks/get']);
  } finally {
    peer.closeAllConnections();
    peer.close();
  }
});
