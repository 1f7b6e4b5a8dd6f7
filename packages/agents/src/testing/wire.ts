import { randomUUID } from 'node:crypto';

/** Plain JSON over sockets: the tests look at the wire, not through the SDK that they test. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the tests find out
export type Json = any;

export interface Dialect {
  readonly binding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC';
  readonly version: '1.0' | '0.3';
}

export const dialects: readonly Dialect[] = [
  { binding: 'JSONRPC', version: '1.0' },
  { binding: 'HTTP+JSON', version: '1.0' },
  { binding: 'GRPC', version: '1.0' },
  { binding: 'JSONRPC', version: '0.3' },
  { binding: 'HTTP+JSON', version: '0.3' },
  { binding: 'GRPC', version: '0.3' },
];

export async function rpc(url: string, method: string, params: Json, id: Json = 1): Promise<Json> {
  const response = await post(`${url}/jsonrpc`, { jsonrpc: '2.0', id, method, params });
  return response.json();
}

/** The events of a streaming 1.0 call, as their `result`s. */
export async function rpcStream(url: string, method: string, params: Json): Promise<Json[]> {
  const response = await post(`${url}/jsonrpc`, { jsonrpc: '2.0', id: 1, method, params });
  return eventsIn(await response.text()).map((event) => event.result);
}

export function eventsIn(text: string): Json[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
}

export function post(
  url: string,
  body: Json,
  version = '1.0',
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': version, ...headers },
    body: JSON.stringify(body),
  });
}

export function userMessage(parts: Json[], members: Json = {}): Json {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts, ...members };
}

export async function send(url: string, message: Json, configuration?: Json): Promise<Json> {
  const answer = await rpc(url, 'SendMessage', { message, configuration });
  if (answer.error) throw new Error(`SendMessage: ${JSON.stringify(answer.error)}`);
  return answer.result.task ?? answer.result.message;
}

export function sendText(url: string, text: string, configuration?: Json): Promise<Json> {
  return send(url, userMessage([{ text }]), configuration);
}

export function statusText(task: Json): string {
  return (task.status.message?.parts ?? []).map((part: Json) => part.text).join('');
}

/** Has `driver` make one call to `target`, and gives the drive result; `members` go beside the call. */
export async function drive(
  driver: string,
  target: string,
  dialect: Dialect,
  call: Json,
  members: Json = {},
): Promise<Json> {
  const data = { plugfest: 'drive/1', card: target, ...dialect, ...members, call };
  const task = await send(driver, userMessage([{ data }]));
  const [artifact] = task.artifacts;
  return { state: task.status.state, artifactName: artifact.name, ...artifact.parts[0].data };
}

export async function eventually(check: () => boolean, timeoutMs = 5000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!check()) {
    if (Date.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
