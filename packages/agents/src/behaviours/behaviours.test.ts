import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningAgent, startAgent } from '../testing/lab.ts';
import { type Json, rpc, rpcStream, send, sendText, statusText, userMessage } from '../testing/wire.ts';

let agent: RunningAgent;
beforeAll(async () => {
  agent = await startAgent([]);
});
afterAll(() => agent.stop());

const stream = (message: Json) => rpcStream(agent.url, 'SendStreamingMessage', { message });

/** A stream in short: states, and artifact texts. */
function shape(events: readonly Json[]): string[] {
  return events.map(({ task, statusUpdate, artifactUpdate }) => {
    if (artifactUpdate) return `artifact ${artifactUpdate.artifact.parts[0].text}`;
    return (task ?? statusUpdate).status.state.replace('TASK_STATE_', '');
  });
}

describe.each(['messageId', 'text'])('selected by %s', (selector) => {
  const selecting = (prefix: string) =>
    selector === 'text'
      ? userMessage([{ text: `${prefix} please` }])
      : userMessage([{ text: 'hi' }], { messageId: `${prefix}-0123abcd` });

  test.each([
    ['tck-complete-task', 'COMPLETED', 'Hello from TCK'],
    ['tck-delayed-complete', 'COMPLETED', 'Done after delay'],
    ['tck-input-required', 'INPUT_REQUIRED', 'What is your name?'],
    ['tck-auth-required', 'AUTH_REQUIRED', 'Authorization needed'],
    ['tck-reject-task', 'REJECTED', 'rejected'],
    ['tck-task-failure', 'FAILED', 'failed on request'],
  ])('%s ends %s with "%s"', async (prefix, state, text) => {
    const task = await send(agent.url, selecting(prefix));
    expect([task.status.state, statusText(task)]).toEqual([`TASK_STATE_${state}`, text]);
  });

  test.each([
    ['tck-artifact-text', { text: 'Generated text content' }],
    [
      'tck-artifact-file',
      { raw: Buffer.from('tck').toString('base64'), filename: 'output.txt', mediaType: 'text/plain' },
    ],
    [
      'tck-artifact-file-url',
      { url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' },
    ],
    ['tck-artifact-data', { data: { key: 'value', count: 42 } }],
  ])('%s completes with its artifact', async (prefix, part) => {
    const task = await send(agent.url, selecting(prefix));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts).toHaveLength(1);
    expect(task.artifacts[0].parts).toMatchObject([part]);
  });

  test('tck-message-response answers with a Message', async () => {
    const message = await send(agent.url, selecting('tck-message-response'));
    expect(message).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'Direct message response' }] });
  });

  test.each([
    ['tck-stream-001', ['WORKING', 'artifact Stream hello from TCK', 'COMPLETED']],
    ['tck-stream-002', ['COMPLETED']],
    ['tck-stream-003', ['WORKING', 'artifact Stream task lifecycle', 'COMPLETED']],
    ['tck-stream-ordering-001', ['WORKING', 'artifact Ordered output', 'COMPLETED']],
    ['tck-stream-basic', ['WORKING', 'artifact Stream hello from TCK', 'COMPLETED']],
    ['tck-stream-artifact-text', ['WORKING', 'artifact Streamed text content', 'COMPLETED']],
    ['tck-stream-artifact-file', ['WORKING', 'artifact undefined', 'COMPLETED']],
    ['tck-stream-artifact-chunked', ['WORKING', 'artifact chunk-1 ', 'artifact chunk-2', 'COMPLETED']],
    ['tck-stream-chunked', ['WORKING', 'artifact chunk-1 ', 'artifact chunk-2', 'COMPLETED']],
  ])('%s streams %j', async (prefix, expected) => {
    expect(shape(await stream(selecting(prefix)))).toEqual(['SUBMITTED', ...expected]);
  });

  test.each(['tck-long-running', 'tck-cancel', 'test-resubscribe-message-id'])(
    '%s works until cancelled',
    async (prefix) => {
      const { task } = (
        await rpc(agent.url, 'SendMessage', {
          message: selecting(prefix),
          configuration: { returnImmediately: true },
        })
      ).result;
      const canceled = await rpc(agent.url, 'CancelTask', { id: task.id });
      expect(canceled.result.status.state).toBe('TASK_STATE_CANCELED');
    },
  );
});

test('the chunks of a chunked artifact join, the second marked as the last', async () => {
  const events = await stream(userMessage([{ text: 'tck-stream-chunked' }]));
  const [first, second] = events.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
  expect(first.append ?? false).toBe(false);
  expect(second).toMatchObject({
    append: true,
    lastChunk: true,
    artifact: { artifactId: first.artifact.artifactId },
  });
});

test('the longest prefix wins', async () => {
  const task = await sendText(agent.url, 'tck-artifact-file-url');
  expect(task.artifacts[0].parts[0]).toHaveProperty('url');
});

test('any other text is echoed', async () => {
  const task = await sendText(agent.url, 'good morning');
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(task.artifacts[0].parts).toMatchObject([{ text: 'echo: good morning' }]);
});

test('plugfest prefixes are looked for in the text only', async () => {
  const task = await send(agent.url, userMessage([{ text: 'hi' }], { messageId: 'plugfest-echo X' }));
  expect(task.artifacts[0].parts).toMatchObject([{ text: 'echo: hi' }]);
});

test('plugfest-echo gives the nonce in two chunks and in the status', async () => {
  const events = await stream(userMessage([{ text: 'plugfest-echo  Ünïcode-🚀🚀 ' }]));
  expect(shape(events)).toEqual(['SUBMITTED', 'WORKING', 'artifact Ünïco', 'artifact de-🚀🚀', 'COMPLETED']);
  expect(statusText(events.at(-1).statusUpdate)).toBe('Ünïcode-🚀🚀');
  expect(events[2].artifactUpdate.artifact.name).toBe('echo');
});

test('plugfest-slow ticks every 100 ms, then gives the nonce', async () => {
  const events = await stream(userMessage([{ text: 'plugfest-slow 250 N 1' }]));
  expect(events.slice(1, -2).map(({ statusUpdate }) => statusText(statusUpdate))).toEqual([
    'tick 1 N 1',
    'tick 2 N 1',
    'tick 3 N 1',
  ]);
  expect(shape(events).slice(-2)).toEqual(['artifact N 1', 'COMPLETED']);
});

test('plugfest-slow without a time is rejected', async () => {
  expect((await sendText(agent.url, 'plugfest-slow soon')).status.state).toBe('TASK_STATE_REJECTED');
});

test('a cancelled task ends its stream with CANCELED and nothing after it', async () => {
  const reading = stream(userMessage([{ text: 'plugfest-slow 5000 N' }], { contextId: 'cancelled' }));
  let id: string | undefined;
  while (!id) {
    const { tasks } = (await rpc(agent.url, 'ListTasks', { contextId: 'cancelled' })).result;
    id = tasks?.[0]?.id;
  }
  await rpc(agent.url, 'CancelTask', { id });
  const states = shape(await reading);
  expect(states.at(-1)).toBe('CANCELED');
  expect(states.slice(1, -1).every((state) => state === 'WORKING')).toBe(true);
});

const followUp = (task: Json, text: string) =>
  send(agent.url, userMessage([{ text }], { taskId: task.id, contextId: task.contextId }));

test('plugfest-ask waits, and its follow-up completes it', async () => {
  const waiting = await sendText(agent.url, 'plugfest-ask N2');
  expect([waiting.status.state, statusText(waiting)]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'ask N2']);
  const done = await followUp(waiting, 'Ada');
  expect([done.id, done.status.state, statusText(done)]).toEqual([
    waiting.id,
    'TASK_STATE_COMPLETED',
    'resumed: Ada',
  ]);
  expect(done.artifacts).toMatchObject([{ name: 'echo', parts: [{ text: 'resumed: Ada' }] }]);
});

test.each(['tck-input-required', 'tck-auth-required'])(
  'a follow-up resumes %s, whatever its text says',
  async (prefix) => {
    const waiting = await sendText(agent.url, prefix);
    const done = await followUp(waiting, 'tck-reject-task');
    expect([done.status.state, statusText(done)]).toEqual([
      'TASK_STATE_COMPLETED',
      'resumed: tck-reject-task',
    ]);
  },
);

test('tck-multi-turn asks until it is told done', async () => {
  const first = await sendText(agent.url, 'tck-multi-turn');
  expect((await followUp(first, 'more')).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  expect((await followUp(first, 'even more')).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  const last = await followUp(first, 'done now');
  expect([last.status.state, statusText(last)]).toEqual(['TASK_STATE_COMPLETED', 'resumed: done now']);
});

test.each(['tck-input-required', 'tck-auth-required'])(
  'a task that waits after %s can be cancelled',
  async (prefix) => {
    const waiting = await sendText(agent.url, prefix);
    const { result } = await rpc(agent.url, 'CancelTask', { id: waiting.id });
    expect(result.status.state).toBe('TASK_STATE_CANCELED');
  },
);

test('a message to a task at work is refused and leaves the task alone', async () => {
  const { task } = (
    await rpc(agent.url, 'SendMessage', {
      message: userMessage([{ text: 'plugfest-slow 300 N' }]),
      configuration: { returnImmediately: true },
    })
  ).result;
  const answer = await rpc(agent.url, 'SendMessage', {
    message: userMessage([{ text: 'hi' }], { taskId: task.id }),
  });
  expect(answer.error.code).toBe(-32004);
  const events = await rpcStream(agent.url, 'SubscribeToTask', { id: task.id });
  expect(shape(events).at(-1)).toBe('COMPLETED');
});
