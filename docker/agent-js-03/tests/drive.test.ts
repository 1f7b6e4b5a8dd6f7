import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { drive, type Json, type RunningAgent, startAgent } from './lab.ts';

let amber: RunningAgent;
let basalt: RunningAgent;
before(async () => {
  [amber, basalt] = await Promise.all([startAgent(), startAgent(['--name', 'basalt'])]);
});
after(() => Promise.all([amber.stop(), basalt.stop()]));

const message = (text: string, members: Json = {}) => ({ messageId: randomUUID(), text, ...members });

for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC']) {
  describe(binding, () => {
    // The SDK's conversion to protobuf leaves out `append`, and the proto of 0.3 the names of files.
    const whole = binding === 'JSONRPC';
    const call = (op: string, members: Json = {}) =>
      drive(amber.url, basalt.url, binding, { op, ...members });
    const begin = async (text: string): Promise<string> => {
      const configuration = { returnImmediately: true };
      return (await call('SendMessage', { message: message(text), configuration })).events[0].taskId;
    };

    test('GetAgentCard tells name and bindings', async () => {
      assert.deepEqual(await call('GetAgentCard'), {
        state: 'completed',
        artifactName: 'drive-result',
        plugfest: 'drive-result/1',
        op: 'GetAgentCard',
        ok: true,
        events: [
          {
            kind: 'card',
            name: 'basalt',
            versions: ['0.3'],
            bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
            skills: ['lab'],
          },
        ],
      });
    });

    test('SendMessage sees the finished task, and a Message', async () => {
      const [task] = (await call('SendMessage', { message: message('plugfest-echo N1') })).events;
      assert.deepEqual(
        [task.kind, task.state, task.text, task.artifacts[0].name, task.artifacts[0].text],
        ['task', 'TASK_STATE_COMPLETED', 'N1', 'echo', 'N1'],
      );
      const [reply] = (await call('SendMessage', { message: message('tck-message-response') })).events;
      assert.deepEqual(
        [reply.kind, reply.role, reply.text],
        ['message', 'ROLE_AGENT', 'Direct message response'],
      );
    });

    test('a follow-up continues the task', async () => {
      const [asked] = (await call('SendMessage', { message: message('plugfest-ask N') })).events;
      const { taskId, contextId } = asked;
      const [done] = (await call('SendMessage', { message: message('Ada', { taskId, contextId }) })).events;
      assert.deepEqual([done.taskId, done.text], [taskId, 'resumed: Ada']);
    });

    test('SendStreamingMessage sees each event and that the server closed', async () => {
      const { events } = await call('SendStreamingMessage', { message: message('plugfest-echo N2') });
      assert.deepEqual(
        events.map(({ kind, state, artifact, by }: Json) => [kind, state ?? artifact?.text ?? by]),
        [
          ['task', 'TASK_STATE_SUBMITTED'],
          ['status', 'TASK_STATE_WORKING'],
          ['artifact', 'N'],
          ['artifact', '2'],
          ['status', 'TASK_STATE_COMPLETED'],
          ['closed', 'server'],
        ],
      );
      assert.equal(events[3].append, whole);
    });

    test('a dropped stream leaves the task running, and SubscribeToTask takes it up again', async () => {
      const dropped = await call('SendStreamingMessage', {
        message: message('plugfest-slow 1000 N3'),
        stopAfterEvents: 2,
      });
      assert.deepEqual(dropped.events.at(-1), { kind: 'closed', by: 'client' });
      const { events } = await call('SubscribeToTask', { taskId: dropped.events[0].taskId });
      assert.equal(events[0].kind, 'task');
      assert.deepEqual([events.at(-2).state, events.at(-2).text], ['TASK_STATE_COMPLETED', 'N3']);
    });

    test('GetTask sees the task, and a refusal by its A2A name', async () => {
      const taskId = await begin('plugfest-echo N4');
      assert.equal((await call('GetTask', { taskId, historyLength: 1 })).events[0].taskId, taskId);
      const refused = await call('GetTask', { taskId: 'no-such-task' });
      assert.deepEqual(
        [refused.state, refused.ok, refused.error.name],
        ['completed', false, 'TaskNotFoundError'],
      );
      assert.equal(refused.error.code, whole ? -32001 : undefined);
    });

    test('CancelTask cancels, and is refused once the task has ended', async () => {
      const taskId = await begin('plugfest-slow 5000 N5');
      assert.equal((await call('CancelTask', { taskId })).events[0].state, 'TASK_STATE_CANCELED');
      assert.equal((await call('CancelTask', { taskId })).error.name, 'TaskNotCancelableError');
    });

    test('webhook configurations are created, read, listed and deleted', async () => {
      const taskId = await begin('tck-input-required');
      const url = 'http://127.0.0.1:9/hook';
      const config = { kind: 'pushConfig', taskId, id: 'c1', url };
      const push = { url, id: 'c1', token: 't', authentication: { scheme: 'Bearer', credentials: 'c' } };
      // Over HTTP+JSON the SDK's server wants another body than its client and the proto of 0.3 have.
      const way = binding === 'HTTP+JSON' ? 'JSONRPC' : binding;
      const create = { op: 'CreateTaskPushNotificationConfig', taskId, push };
      assert.deepEqual((await drive(amber.url, basalt.url, way, create)).events, [config]);
      const key = { taskId, configId: 'c1' };
      assert.deepEqual((await call('GetTaskPushNotificationConfig', key)).events, [config]);
      assert.deepEqual((await call('ListTaskPushNotificationConfigs', { taskId })).events, [config]);
      assert.equal((await call('DeleteTaskPushNotificationConfig', key)).ok, true);
      assert.deepEqual((await call('ListTaskPushNotificationConfigs', { taskId })).events, []);
    });

    test('further parts come back', async () => {
      const raw = randomBytes(60_000).toString('base64');
      const url = 'https://example.com/a%20b.png?x=1';
      // The SDK's gRPC client cannot send null: it writes no number for the enumeration that stands for it.
      const deep = binding === 'GRPC' ? [1.5, { ä: true }] : [1.5, null, { ä: true }];
      const { events } = await call('SendMessage', {
        message: message('plugfest-parts N9', {
          parts: [
            { raw, mediaType: 'application/octet-stream', filename: 'bytes.bin' },
            { url, mediaType: 'image/png', filename: 'ä.png' },
            { data: { deep } },
          ],
        }),
      });
      const named = (filename: string) => (whole ? { filename } : {});
      assert.deepEqual(events[0].artifacts[0].contents, [
        { kind: 'raw', content: raw, mediaType: 'application/octet-stream', ...named('bytes.bin') },
        { kind: 'url', content: url, mediaType: 'image/png', ...named('ä.png') },
        { kind: 'data', content: { deep } },
      ]);
    });

    test('what the client lacks is told as such', async () => {
      for (const op of ['ListTasks', 'GetExtendedAgentCard'])
        assert.equal((await call(op)).error.name, 'UnsupportedByClient');
    });

    test('16 calls at once do not cross', async () => {
      const nonces = Array.from({ length: 16 }, () => randomUUID());
      const seen = await Promise.all(
        nonces.map(async (nonce) => {
          const { events } = await call('SendMessage', { message: message(`plugfest-echo ${nonce}`) });
          return events[0].text;
        }),
      );
      assert.deepEqual(seen, nonces);
    });
  });
}

const taskOf = { op: 'GetTask', taskId: 'x' };

test('1.0 is not spoken, and an interface that the card lacks is not replaced by another', async () => {
  const newer = await drive(amber.url, basalt.url, 'JSONRPC', taskOf, { version: '1.0' });
  assert.equal(newer.error.name, 'UnsupportedByClient');
  const onlyRpc = await startAgent(['--bindings', 'JSONRPC']);
  try {
    const result = await drive(amber.url, onlyRpc.url, 'GRPC', taskOf);
    assert.equal(result.error.name, 'NoMatchingInterface');
  } finally {
    await onlyRpc.stop();
  }
});

test('principals: tokens are sent and wanted, and the extended card names whose it is', async () => {
  const LAB_AGENT_TOKENS = 'alice=token-a,bob=token-b';
  const [driver, guarded] = await Promise.all([
    startAgent([], { LAB_AGENT_TOKENS }),
    startAgent(['--auth', 'bearer', '--extendedCard'], { LAB_AGENT_TOKENS }),
  ]);
  try {
    for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC']) {
      const send = { op: 'SendMessage', message: message('plugfest-echo N') };
      assert.equal((await drive(driver.url, guarded.url, binding, send)).ok, false);
      assert.equal((await drive(driver.url, guarded.url, binding, send, { as: 'alice' })).ok, true);
      const extended = { op: 'GetExtendedAgentCard' };
      const { events } = await drive(driver.url, guarded.url, binding, extended, { as: 'bob' });
      assert.deepEqual(events[0].skills, ['lab', 'lab-extended']);
    }
    const refused = await fetch(`${guarded.url}/rest/v1/card`);
    assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer']);
    const headers = { Authorization: 'Bearer token-b' };
    const card = (await (await fetch(`${guarded.url}/rest/v1/card`, { headers })).json()) as Json;
    assert.equal(card.skills[1].description, 'For bob.');
  } finally {
    await Promise.all([driver.stop(), guarded.stop()]);
  }
});

test('extensions are asked for in the header of 0.3', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const peer = createServer((request, response) => {
    const url = `http://${request.headers.host}/rpc`;
    if (request.method === 'POST') seen.push(request.headers);
    const card = { name: 'peer', url, protocolVersion: '0.3.0', capabilities: {}, skills: [] };
    response.end(JSON.stringify(request.method === 'GET' ? card : { jsonrpc: '2.0', id: 1, result: {} }));
  });
  peer.listen(0, '127.0.0.1');
  await once(peer, 'listening');
  try {
    const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
    await drive(amber.url, url, 'JSONRPC', taskOf, { extensions: ['https://example.com/a'] });
    assert.deepEqual(
      seen.map((headers) => headers['x-a2a-extensions']),
      ['https://example.com/a'],
    );
  } finally {
    peer.closeAllConnections();
    peer.close();
  }
});
