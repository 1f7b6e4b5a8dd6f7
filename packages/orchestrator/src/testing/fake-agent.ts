/**
 * A program that speaks just enough A2A 1.0 over JSON-RPC to be told apart from a good agent in one way, given as
 * its argument. Good: a send is answered with a finished task that repeats the nonce of `plugfest-echo NONCE`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const mode = process.argv[2] ?? 'good';
if (mode === 'early-exit') {
  process.stderr.write('first line\n\u001b[31mno database\u0007 at all\u001b[0m\n');
  process.exit(3);
}

interface Pending {
  readonly nonce: string;
  readonly answer: (nonce: string) => void;
}

const pending: Pending[] = [];
let sends = 0;

const server = createServer((request, response) => {
  const own = `http://${request.headers.host}`;
  const json = (value: unknown) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(value));
  };
  if (request.method === 'GET') {
    if (mode === 'html') {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Welcome</title>');
    } else json(ownCard(own));
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { id, method, params } = JSON.parse(body);
    if (method !== 'SendMessage') {
      json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } });
      return;
    }
    sends += 1;
    const nonce = String(params.message.parts[0]?.text ?? '')
      .split(' ')
      .at(-1);
    const answer = (said: string) => json({ jsonrpc: '2.0', id, result: { task: task(said) } });
    // The first send is the canary at the start of a run.
    if (sends > 1 && mode === 'hangs') return;
    if (sends > 1 && mode === 'dies') {
      process.stderr.write('out of memory\n');
      process.exit(7);
    }
    const asked = /\S+agent-card\.json/.exec(String(params.message.parts[0]?.text ?? ''))?.[0];
    if (mode === 'obliging' && asked !== undefined) void sendOn(asked).then(() => answer('I did'));
    else if (mode === 'deaf') answer('I do not know what you mean');
    else if (mode === 'crossing') swap({ nonce: nonce ?? '', answer });
    else answer(nonce ?? '');
  });
});

/** What somebody asked in words for: a message to the agent of a card. */
async function sendOn(card: string): Promise<void> {
  // Its peers are of its own kind.
  const { supportedInterfaces } = (await (await fetch(card)).json()) as ReturnType<typeof ownCard>;
  const [first] = supportedInterfaces;
  if (first === undefined) return;
  const message = { messageId: 'asked', role: 'ROLE_USER', parts: [{ text: 'plugfest-echo asked' }] };
  await fetch(first.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
  });
}

/** Two that wait at the same time get each other's answer. */
function swap(one: Pending): void {
  const other = pending.pop();
  if (other) {
    other.answer(one.nonce);
    one.answer(other.nonce);
    return;
  }
  pending.push(one);
  setTimeout(() => {
    const at = pending.indexOf(one);
    if (at < 0) return;
    pending.splice(at, 1);
    one.answer(one.nonce);
  }, 200);
}

function task(nonce: string) {
  const contextId = `c${sends}`;
  const id = `t${sends}-${Math.random()}`;
  const message = {
    messageId: `m${id}`,
    role: 'ROLE_AGENT',
    parts: [{ text: nonce }],
    taskId: id,
    contextId,
  };
  return {
    id,
    contextId,
    status: { state: 'TASK_STATE_COMPLETED', message, timestamp: '2026-01-01T00:00:00Z' },
    artifacts: [{ artifactId: 'a', name: 'echo', parts: [{ text: nonce }] }],
  };
}

function ownCard(own: string) {
  const wrong = mode === 'wrong-types';
  return {
    name: wrong ? 7 : 'fake',
    description: 'A fake.',
    version: '1',
    capabilities: { streaming: wrong ? 'yes' : false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    supportedInterfaces: [
      { url: `${own}/rpc`, protocolBinding: mode === 'smoke' ? 'SMOKE' : 'JSONRPC', protocolVersion: '1.0' },
    ],
  };
}

if (mode !== 'silent') {
  server.listen(Number(process.env.FAKE_PORT ?? 0), '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write('a line that is no ready line\n');
    const card = `http://127.0.0.1:${port}/.well-known/agent-card.json`;
    process.stdout.write(`${JSON.stringify({ ready: true, name: 'fake', card })}\n`);
  });
} else process.stdout.write('starting \u001b[2Jup\n');
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
