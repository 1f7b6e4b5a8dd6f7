import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadFaults } from './fault.ts';
import { type RunningAgent, startAgent } from './testing/lab.ts';
import { startWebhookReceiver } from './testing/webhook.ts';
import {
  eventsIn,
  eventually,
  type Json,
  post,
  rpc,
  rpcStream,
  sendText,
  userMessage,
} from './testing/wire.ts';

test('every folder of faulty/ is a fault that describes itself', async () => {
  const faults = await loadFaults();
  expect(faults.map(({ name }) => name)).toEqual(readdirSync(new URL('./faulty/', import.meta.url)).sort());
  for (const { summary, rules } of faults) {
    expect(summary).toMatch(/^.+\.$/);
    expect(rules).not.toHaveLength(0);
    for (const rule of rules) expect(rule).toMatch(/^[A-Z]+-\d{3}$/);
  }
});

function withFault(fault: string, tests: (agent: () => RunningAgent) => void) {
  describe(fault, () => {
    let agent: RunningAgent;
    beforeAll(async () => {
      agent = await startAgent(['--protocol', 'both', '--fault', fault]);
    });
    afterAll(() => agent.stop());
    tests(() => agent);
  });
}

const echo = () => userMessage([{ text: 'plugfest-echo N' }]);
const oldEcho = () => ({
  kind: 'message',
  messageId: randomUUID(),
  role: 'user',
  parts: [{ kind: 'text', text: 'plugfest-echo N' }],
});

withFault('events-after-terminal', (agent) => {
  test('a JSON-RPC stream goes on after the terminal status', async () => {
    const events = await rpcStream(agent().url, 'SendStreamingMessage', { message: echo() });
    expect(events.slice(-2).map(({ statusUpdate }) => statusUpdate.status.state)).toEqual([
      'TASK_STATE_COMPLETED',
      'TASK_STATE_WORKING',
    ]);
  });

  test('so does an HTTP+JSON stream', async () => {
    const response = await post(`${agent().url}/rest/message:stream`, { message: echo() });
    const events = eventsIn(await response.text());
    expect(events.at(-1).statusUpdate.status.state).toBe('TASK_STATE_WORKING');
  });

  test('and a 0.3 stream', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message: oldEcho() } };
    const events = eventsIn(await (await post(`${agent().url}/jsonrpc`, body, '0.3')).text());
    expect(events.slice(-2).map(({ result }) => [result.status.state, result.final])).toEqual([
      ['completed', true],
      ['working', false],
    ]);
  });

  test('whole responses stay as they are', async () => {
    expect((await sendText(agent().url, 'plugfest-echo N')).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

withFault('kebab-states', (agent) => {
  test('answers and streams of both bindings spell states the 0.3 way', async () => {
    const task = await sendText(agent().url, 'tck-input-required');
    expect(task.status.state).toBe('input-required');
    const events = await rpcStream(agent().url, 'SendStreamingMessage', { message: echo() });
    expect(events.at(-1).statusUpdate.status.state).toBe('completed');
    const rest = (await (await post(`${agent().url}/rest/message:send`, { message: echo() })).json()) as Json;
    expect(rest.task.status.state).toBe('completed');
  });
});

withFault('wrong-jsonrpc-id', (agent) => {
  test.each([
    [7, 8],
    ['a', 'a-other'],
  ])('the request id %s comes back as %s', async (id, other) => {
    expect((await rpc(agent().url, 'SendMessage', { message: echo() }, id)).id).toBe(other);
  });

  test('HTTP+JSON answers have no id and stay as they are', async () => {
    const answer = await (await post(`${agent().url}/rest/message:send`, { message: echo() })).json();
    expect(answer).not.toHaveProperty('id');
  });
});

withFault('webhook-without-token', (agent) => {
  test.each([{ token: 'secret' }, { authentication: { scheme: 'Bearer', credentials: 'secret' } }])(
    'a delivery for %j carries no secret',
    async (secrets) => {
      const hooks = await startWebhookReceiver();
      try {
        await sendText(agent().url, 'plugfest-echo N', {
          taskPushNotificationConfig: { url: hooks.url, ...secrets },
        });
        await eventually(() => hooks.deliveries.length === 5);
        expect(JSON.stringify(hooks.deliveries)).not.toContain('secret');
      } finally {
        await hooks.stop();
      }
    },
  );
});
