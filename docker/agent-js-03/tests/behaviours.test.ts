import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Json, type RunningAgent, rpc, said, send, startAgent, statusText, stream } from './lab.ts';

let agent: RunningAgent;
before(async () => {
  agent = await startAgent();
});
after(() => agent.stop());

const byId = (prefix: string) => said('hi', { messageId: `${prefix}-0123abcd` });
const byText = (prefix: string) => said(`${prefix} please`);

/** A stream in short: states, and artifact texts. */
function shape(events: readonly Json[]): string[] {
  return events.map((event) =>
    event.kind === 'artifact-update' ? `artifact ${event.artifact.parts[0].text}` : event.status.state,
  );
}

const endings = [
  ['tck-complete-task', 'completed', 'Hello from TCK'],
  ['tck-delayed-complete', 'completed', 'Done after delay'],
  ['tck-input-required', 'input-required', 'What is your name?'],
  ['tck-multi-turn', 'input-required', 'Say more, or done'],
  ['tck-auth-required', 'auth-required', 'Authorization needed'],
  ['tck-reject-task', 'rejected', 'rejected'],
  ['tck-task-failure', 'failed', 'failed on request'],
] as const;
for (const [prefix, state, text] of endings) {
  test(`${prefix} ends ${state}, by messageId and by text`, async () => {
    for (const message of [byId(prefix), byText(prefix)]) {
      const task = await send(agent.url, message);
      assert.deepEqual([task.status.state, statusText(task)], [state, text]);
    }
  });
}

const file = { name: 'output.txt', mimeType: 'text/plain' };
const artifacts = [
  ['tck-artifact-text', { kind: 'text', text: 'Generated text content' }],
  ['tck-artifact-file', { kind: 'file', file: { bytes: 'dGNr', ...file } }],
  ['tck-artifact-file-url', { kind: 'file', file: { uri: 'https://example.com/output.txt', ...file } }],
  ['tck-artifact-data', { kind: 'data', data: { key: 'value', count: 42 } }],
] as const;
for (const [prefix, part] of artifacts) {
  test(`${prefix} completes with its artifact`, async () => {
    for (const message of [byId(prefix), byText(prefix)]) {
      const task = await send(agent.url, message);
      assert.equal(task.status.state, 'completed');
      assert.deepEqual(
        task.artifacts.map((artifact: Json) => artifact.parts),
        [[part]],
      );
    }
  });
}

const streams = [
  ['tck-stream-001', ['working', 'artifact Stream hello from TCK', 'completed']],
  ['tck-stream-002', ['completed']],
  ['tck-stream-003', ['working', 'artifact Stream task lifecycle', 'completed']],
  ['tck-stream-ordering-001', ['working', 'artifact Ordered output', 'completed']],
  ['tck-stream-basic', ['working', 'artifact Stream hello from TCK', 'completed']],
  ['tck-stream-artifact-text', ['working', 'artifact Streamed text content', 'completed']],
  ['tck-stream-artifact-file', ['working', 'artifact undefined', 'completed']],
  ['tck-stream-artifact-chunked', ['working', 'artifact chunk-1 ', 'artifact chunk-2', 'completed']],
  ['tck-stream-chunked', ['working', 'artifact chunk-1 ', 'artifact chunk-2', 'completed']],
] as const;
for (const [prefix, expected] of streams) {
  test(`${prefix} streams its events, the last one final`, async () => {
    const events = await stream(agent.url, byId(prefix));
    assert.deepEqual(shape(events), ['submitted', ...expected]);
    assert.deepEqual(
      events.map(({ final }) => final ?? false),
      events.map((_, index) => index === events.length - 1),
    );
  });
}

for (const prefix of ['tck-long-running', 'tck-cancel', 'test-resubscribe-message-id']) {
  test(`${prefix} works until cancelled`, async () => {
    const task = await send(agent.url, byText(prefix), { blocking: false });
    const { result } = await rpc(agent.url, 'tasks/cancel', { id: task.id });
    assert.equal(result.status.state, 'canceled');
  });
}

test('tck-message-response answers with a Message', async () => {
  const message = await send(agent.url, byText('tck-message-response'));
  assert.deepEqual(
    [message.kind, message.role, message.parts[0].text],
    ['message', 'agent', 'Direct message response'],
  );
});

test('any other text is echoed', async () => {
  const task = await send(agent.url, said('good morning'));
  assert.equal(task.artifacts[0].parts[0].text, 'echo: good morning');
});

test('plugfest prefixes are looked for in the text only, and the longest prefix wins', async () => {
  const echoed = await send(agent.url, said('hi', { messageId: 'plugfest-echo X' }));
  assert.equal(echoed.artifacts[0].parts[0].text, 'echo: hi');
  const url = await send(agent.url, said('tck-artifact-file-url'));
  assert.ok(url.artifacts[0].parts[0].file.uri);
});

test('plugfest-echo gives the nonce in two chunks and in the status', async () => {
  const events = await stream(agent.url, said('plugfest-echo  Ünïcode-🚀🚀 '));
  assert.deepEqual(shape(events), [
    'submitted',
    'working',
    'artifact Ünïco',
    'artifact de-🚀🚀',
    'completed',
  ]);
  assert.equal(statusText(events.at(-1)), 'Ünïcode-🚀🚀');
  assert.deepEqual([events[3].append, events[3].lastChunk], [true, true]);
});

test('plugfest-slow ticks every 100 ms, then gives the nonce', async () => {
  const events = await stream(agent.url, said('plugfest-slow 250 N 1'));
  assert.deepEqual(events.slice(1, -2).map(statusText), ['tick 1 N 1', 'tick 2 N 1', 'tick 3 N 1']);
  assert.deepEqual(shape(events).slice(-2), ['artifact N 1', 'completed']);
});

const followUp = (task: Json, text: string) =>
  send(agent.url, said(text, { taskId: task.id, contextId: task.contextId }));

test('plugfest-ask waits, and its follow-up completes the same task', async () => {
  const waiting = await send(agent.url, said('plugfest-ask N2'));
  assert.deepEqual([waiting.status.state, statusText(waiting)], ['input-required', 'ask N2']);
  const done = await followUp(waiting, 'Ada');
  assert.deepEqual([done.id, done.status.state, statusText(done)], [waiting.id, 'completed', 'resumed: Ada']);
  assert.equal(done.artifacts[0].parts[0].text, 'resumed: Ada');
});

test('tck-multi-turn asks until it is told done', async () => {
  const first = await send(agent.url, said('tck-multi-turn'));
  assert.equal((await followUp(first, 'more')).status.state, 'input-required');
  assert.equal((await followUp(first, 'even more')).status.state, 'input-required');
  assert.equal((await followUp(first, 'done now')).status.state, 'completed');
});

test('a task that waits can be cancelled', async () => {
  const waiting = await send(agent.url, said('tck-auth-required'));
  const { result } = await rpc(agent.url, 'tasks/cancel', { id: waiting.id });
  assert.equal(result.status.state, 'canceled');
});

test('plugfest-modes answers in the first mode that it can do', async () => {
  const modes = (acceptedOutputModes: string[]) =>
    send(agent.url, said('plugfest-modes N3'), { acceptedOutputModes });
  assert.equal((await modes([])).artifacts[0].parts[0].text, 'N3');
  const json = await modes(['image/png', 'application/json']);
  assert.deepEqual(json.artifacts[0].parts, [{ kind: 'data', data: { nonce: 'N3' } }]);
  assert.equal((await modes(['image/png'])).status.state, 'rejected');
});
