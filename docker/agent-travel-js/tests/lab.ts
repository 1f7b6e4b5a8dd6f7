import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Plain JSON over sockets: the tests look at the wire, not through the SDK that they test. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the tests find out
export type Json = any;

const mainFile = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export async function startAgent(role: string) {
  const child = spawn(process.execPath, [mainFile, '--role', role], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ready: Json = JSON.parse(line);
  const stop = async (): Promise<void> => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  };
  return { ready, url: new URL(ready.card).origin, stop };
}

export async function runToEnd(flags: readonly string[]) {
  const child = spawn(process.execPath, [mainFile, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

export interface Sent {
  readonly taskId?: string;
  readonly method?: string;
}

/** The body of the answer to a message with data: JSON, or the events of a stream. */
export async function send(url: string, data: Json, { taskId, method = 'SendMessage' }: Sent = {}) {
  const message = {
    messageId: randomUUID(),
    role: 'ROLE_USER',
    parts: [{ data }],
    ...(taskId && { taskId }),
  };
  return call(url, method, { message });
}

export async function call(url: string, method: string, params: Json): Promise<Json> {
  const answer = await fetch(`${url}/jsonrpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await answer.text();
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return JSON.parse(text).result;
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice(5)).result] : []));
}
