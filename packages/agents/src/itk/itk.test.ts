import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningAgent, startAgent } from '../testing/lab.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook.ts';
import { eventually, type Json, rpc, rpcStream, send, statusText, userMessage } from '../testing/wire.ts';
import { type Behavior, encodeInstruction, type Instruction } from './instruction.ts';

let amber: RunningAgent;
let basalt: RunningAgent;
let cobalt: RunningAgent;
let hooks: WebhookReceiver;
beforeAll(async () => {
  [amber, basalt, cobalt, hooks] = await Promise.all([
    startAgent(['--name', 'amber', '--protocol', 'both']),
    startAgent(['--name', 'basalt']),
    startAgent(['--name', 'cobalt', '--protocol', '0.3', '--bindings', 'JSONRPC,GRPC']),
    startWebhookReceiver(),
  ]);
});
afterAll(() => Promise.all([amber.stop(), basalt.stop(), cobalt.stop(), hooks.stop()]));

const say = (response: string, holdTask = false): Instruction => ({ step: 'return', response, holdTask });
const series = (...instructions: Instruction[]): Instruction => ({ step: 'series', instructions });
const callTo = (
  agent: RunningAgent,
  transport: string,
  instruction: Instruction,
  behavior: Behavior = { kind: 'send' },
  streaming = false,
): Instruction => ({
  step: 'call',
  call: { transport, agentCardUri: agent.url, instruction, behavior, streaming },
});

const encoded = (instruction: Instruction) => Buffer.from(encodeInstruction(instruction)).toString('base64');
const instructionPart = (instruction: Instruction) => ({
  raw: encoded(instruction),
  mediaType: 'application/x-protobuf',
  filename: 'instruction.bin',
});
const carryOut = (instruction: Instruction) => send(amber.url, userMessage([instructionPart(instruction)]));

async function expectOutput(instruction: Instruction, output: string) {
  const task = await carryOut(instruction);
  expect([task.status.state, statusText(task)]).toEqual(['TASK_STATE_COMPLETED', output]);
}

test('return_response is the status text of a completed task', () => expectOutput(say('here'), 'here'));

test('the outputs of a series are joined with line ends', () =>
  expectOutput(series(say('one'), series(say('two'), say('three'))), 'one\ntwo\nthree'));

test.each(['jsonrpc', 'JSONRPC', 'http_json', 'rest', 'HTTP+JSON', 'grpc'])(
  'call_agent over %s',
  (transport) => expectOutput(series(say('A'), callTo(basalt, transport, say('B'))), 'A\nB'),
);

test.each(['jsonrpc', 'grpc'])('call_agent speaks 0.3 to a 0.3 agent over %s', (transport) =>
  expectOutput(callTo(cobalt, transport, say('old')), 'old'),
);

test.each(['jsonrpc', 'http_json', 'grpc'])('call_agent streams over %s', (transport) =>
  expectOutput(callTo(basalt, transport, say('flow'), { kind: 'send' }, true), 'flow'),
);

test('a walk goes through several agents', () =>
  expectOutput(
    series(say('1'), callTo(basalt, 'http_json', series(say('2'), callTo(cobalt, 'jsonrpc', say('3'))))),
    '1\n2\n3',
  ));

test('push_notification registers the webhook with the ITK token', async () => {
  const path = `/${randomUUID()}`;
  await expectOutput(
    callTo(basalt, 'jsonrpc', say('pushed'), { kind: 'push', url: hooks.url + path }),
    'pushed',
  );
  const received = () => hooks.deliveries.filter((delivery) => delivery.path === `${path}/notifications`);
  await eventually(() =>
    received().some(({ body }) => statusText(body.statusUpdate ?? { status: {} }) === 'pushed'),
  );
  expect(received()[0]?.headers['x-a2a-notification-token']).toBe('itk-token');
});

test.each(['jsonrpc', 'http_json', 'grpc'])(
  'resubscribe over %s reads a held task to its end and cancels it',
  async (transport) => {
    const begin = Date.now();
    const held = callTo(basalt, transport, say(`held-${transport}`, true), { kind: 'resubscribe' }, true);
    await expectOutput(held, `held-${transport}`);
    expect(Date.now() - begin).toBeLessThan(5000);
    const { tasks } = (await rpc(basalt.url, 'ListTasks', {})).result;
    const task = tasks.find((candidate: Json) =>
      JSON.stringify(candidate).includes(encoded(say(`held-${transport}`, true))),
    );
    expect(task.status.state).toBe('TASK_STATE_CANCELED');
  },
);

test.each(['jsonrpc', 'grpc'])('resubscribe works in 0.3 over %s', (transport) =>
  expectOutput(callTo(cobalt, transport, say('held-old', true), { kind: 'resubscribe' }, true), 'held-old'),
);

test('hold_task says its text and the marker while working, then ticks, and can be cancelled', async () => {
  const message = userMessage([instructionPart(say('wait', true))]);
  const { task } = (
    await rpc(amber.url, 'SendMessage', { message, configuration: { returnImmediately: true } })
  ).result;
  const watching = rpcStream(amber.url, 'SubscribeToTask', { id: task.id });
  await new Promise((resolve) => setTimeout(resolve, 2200));
  await rpc(amber.url, 'CancelTask', { id: task.id });
  const [first, ...rest] = await watching;
  expect(first.task.status).toMatchObject({
    state: 'TASK_STATE_WORKING',
    message: { parts: [{ text: 'wait\ntask-finished' }] },
  });
  expect(rest.map(({ statusUpdate }) => statusUpdate.status.state)).toEqual([
    'TASK_STATE_WORKING',
    'TASK_STATE_CANCELED',
  ]);
});

test('an unknown transport fails the task and says so', async () => {
  const task = await carryOut(callTo(basalt, 'carrier-pigeon', say('x')));
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(statusText(task)).toContain('does not speak transport "carrier-pigeon"');
});

test('a binding that the called agent lacks fails the task instead of using another', async () => {
  const task = await carryOut(callTo(cobalt, 'http_json', say('x')));
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(statusText(task)).toContain('offers no HTTP+JSON');
});

test("a called agent's failure fails the task with its text", async () => {
  const task = await carryOut(callTo(basalt, 'jsonrpc', callTo(cobalt, 'semaphore', say('x'))));
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(statusText(task)).toContain('does not speak transport "semaphore"');
});

test('base64 in a text part is an instruction', async () => {
  const task = await send(amber.url, userMessage([{ text: encoded(say('as text')) }]));
  expect(statusText(task)).toBe('as text');
});

test('a text that merely looks like base64 is a text', async () => {
  const task = await send(amber.url, userMessage([{ text: 'abcd' }]));
  expect(task.artifacts[0].parts[0].text).toBe('echo: abcd');
});

test('a part that claims to be an instruction but is not fails the task', async () => {
  const part = { ...instructionPart(say('x')), raw: Buffer.from('not protobuf').toString('base64') };
  const task = await send(amber.url, userMessage([part]));
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  expect(statusText(task)).toContain('cannot be decoded');
});

test('a 0.3 file part carries an instruction', async () => {
  const file = { bytes: encoded(say('0.3')), mimeType: 'application/x-protobuf', name: 'instruction.bin' };
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'file', file }] };
  const response = await fetch(`${cobalt.url}/jsonrpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }),
  });
  const { result } = (await response.json()) as Json;
  expect([result.status.state, statusText(result)]).toEqual(['completed', '0.3']);
});
