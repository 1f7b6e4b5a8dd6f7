import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Plain JSON over sockets: the tests look at the wire, not through the SDK that they test. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the tests find out
export type Json = any;

const mainFile = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export interface RunningAgent {
  readonly url: string;
  readonly ready: Json;
  readonly process: ChildProcess;
  readonly stop: () => Promise<void>;
}

export async function startAgent(
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningAgent> {
  const child = spawn(process.execPath, [mainFile, ...flags], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ready = JSON.parse(line);
  return {
    url: new URL(ready.card).origin,
    ready,
    process: child,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

export async function runToEnd(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [mainFile, ...flags], { env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

export function post(url: string, body: Json, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

export async function rpc(url: string, method: string, params: Json): Promise<Json> {
  return (await post(`${url}/jsonrpc`, { jsonrpc: '2.0', id: 1, method, params })).json();
}

export async function stream(url: string, message: Json): Promise<Json[]> {
  const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } };
  const text = await (await post(`${url}/jsonrpc`, body)).text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '').result);
}

export function userMessage(parts: Json[], members: Json = {}): Json {
  return { kind: 'message', messageId: randomUUID(), role: 'user', parts, ...members };
}

export function said(text: string, members: Json = {}): Json {
  return userMessage([{ kind: 'text', text }], members);
}

export async function send(url: string, message: Json, configuration?: Json): Promise<Json> {
  const answer = await rpc(url, 'message/send', { message, configuration });
  if (answer.error) throw new Error(`message/send: ${JSON.stringify(answer.error)}`);
  return answer.result;
}

export function statusText(holder: Json): string {
  return (holder.status.message?.parts ?? []).map((part: Json) => part.text).join('');
}

/** Has `driver` make one call to `target`, and gives the drive result; `members` go beside the call. */
export async function drive(
  driver: string,
  target: string,
  binding: string,
  call: Json,
  members: Json = {},
): Promise<Json> {
  const data = { plugfest: 'drive/1', card: target, binding, version: '0.3', ...members, call };
  const task = await send(driver, userMessage([{ kind: 'data', data }]));
  const [artifact] = task.artifacts;
  return { state: task.status.state, artifactName: artifact.name, ...artifact.parts[0].data };
}
