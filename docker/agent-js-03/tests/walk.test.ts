import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Behavior, encodeInstruction, type Instruction } from '../src/instruction.ts';
import { type Json, type RunningAgent, said, send, startAgent, statusText, userMessage } from './lab.ts';

let amber: RunningAgent;
let basalt: RunningAgent;
before(async () => {
  [amber, basalt] = await Promise.all([startAgent(), startAgent()]);
});
after(() => Promise.all([amber.stop(), basalt.stop()]));

function walk(instruction: Instruction): Promise<Json> {
  const bytes = Buffer.from(encodeInstruction(instruction)).toString('base64');
  const file = { bytes, mimeType: 'application/x-protobuf', name: 'instruction.bin' };
  return send(amber.url, userMessage([{ kind: 'file', file }]));
}

const word = (response: string, holdTask = false): Instruction => ({ step: 'return', response, holdTask });

function callOf(
  transport: string,
  instruction: Instruction,
  behavior: Behavior = { kind: 'send' },
  streaming = false,
): Instruction {
  return { step: 'call', call: { transport, agentCardUri: basalt.url, instruction, streaming, behavior } };
}

for (const transport of ['jsonrpc', 'http_json', 'rest', 'HTTP+JSON', 'grpc']) {
  for (const streaming of [false, true]) {
    test(`a walk over ${transport} brings the words back, ${streaming ? 'streamed' : 'sent'}`, async () => {
      const call = callOf(transport, word('there'), { kind: 'send' }, streaming);
      const task = await walk({ step: 'series', instructions: [word('here'), call] });
      assert.deepEqual([task.status.state, statusText(task)], ['completed', 'here\nthere']);
    });
  }
}

for (const transport of ['jsonrpc', 'http_json', 'grpc']) {
  test(`resubscribing over ${transport} reads a held task to its mark`, async () => {
    const task = await walk(callOf(transport, word('held', true), { kind: 'resubscribe' }));
    assert.deepEqual([task.status.state, statusText(task)], ['completed', 'held']);
  });
}

test('push_notification has the webhook called with its token', async () => {
  const tokens: unknown[] = [];
  const hooks = createServer((request, response) => {
    tokens.push([request.url, request.headers['x-a2a-notification-token']]);
    request.resume();
    response.end();
  });
  hooks.listen(0, '127.0.0.1');
  await once(hooks, 'listening');
  try {
    const url = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
    await walk(callOf('jsonrpc', word('pushed'), { kind: 'push', url }));
    const end = Date.now() + 5000;
    while (tokens.length === 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(tokens[0], ['/notifications', 'itk-token']);
  } finally {
    hooks.closeAllConnections();
    hooks.close();
  }
});

test('an unknown transport fails the task with a text that says so', async () => {
  const task = await walk(callOf('carrier-pigeon', word('x')));
  assert.equal(task.status.state, 'failed');
  assert.match(statusText(task), /does not speak transport "carrier-pigeon"/);
});

test('base64 in a text part is an instruction too, and other text is none', async () => {
  const bytes = Buffer.from(encodeInstruction(word('from text'))).toString('base64');
  assert.equal(statusText(await send(amber.url, said(bytes))), 'from text');
  const echoed = await send(amber.url, said('aGVsbG8h'));
  assert.equal(echoed.artifacts[0].parts[0].text, 'echo: aGVsbG8h');
});
