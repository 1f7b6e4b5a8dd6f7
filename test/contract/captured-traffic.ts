import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { CapturedBody, CapturedExchange, Finding, RuleResult } from '@plugfest/model';
import type { Rulebook } from '@plugfest/verifier';
import { Verification } from '@plugfest/verifier';

export interface Judgement {
  readonly findings: readonly Finding[];
  readonly rules: readonly RuleResult[];
}

export function judgeTraffic(book: Rulebook, captured: readonly CapturedExchange[]): Judgement {
  const verification = new Verification(book, { gateways: new Set(['gateway']) });
  for (const exchange of captured) verification.add(exchange);
  return verification.finish();
}

/** The rules that threw, with what they threw. */
export const failedRules = ({ rules }: Judgement): readonly string[] =>
  rules.flatMap(({ id, status, error }) => (status === 'error' ? [`${id}: ${error}`] : []));

/** A body that arrived whole, in pieces of this size. */
function wholeBody(bytes: Uint8Array, atNs: number, piece = 65_536): CapturedBody {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += piece)
    chunks.push({ seq: at, atNs, bytes: bytes.subarray(at, at + piece) });
  return { chunks, totalBytes: bytes.length, storedBytes: bytes.length, endedAtNs: atNs };
}

export function withRequestBody(
  exchange: CapturedExchange,
  bytes: Uint8Array,
  headers: readonly string[] = [],
): CapturedExchange {
  const { request } = exchange;
  return {
    ...exchange,
    request: {
      ...request,
      headers: [...request.headers, ...headers],
      body: wholeBody(bytes, request.atNs),
    },
  };
}

export function withResponseBody(
  exchange: CapturedExchange,
  bytes: Uint8Array,
  headers: readonly string[] = [],
): CapturedExchange {
  const { response } = exchange;
  if (response === undefined) return exchange;
  return {
    ...exchange,
    response: {
      ...response,
      headers: [...response.headers, ...headers],
      body: wholeBody(bytes, response.atNs),
    },
  };
}

/** One exchange of each sort, to be spoilt. */
export const sorts: Readonly<Record<string, CapturedExchange>> = Object.fromEntries(
  Object.entries({
    card: {
      ...{ from: 'client', to: 'agent' },
      request: { method: 'GET', url: 'https://agent.example/.well-known/agent-card.json', headers: {} },
      response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: {} },
    },
    rpc: {
      ...{ from: 'client', to: 'agent' },
      request: {
        method: 'POST',
        url: 'https://agent.example/a2a',
        headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
        body: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'task-1' } },
      },
      response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: {} },
    },
    'rpc 0.3': {
      ...{ from: 'client', to: 'agent' },
      request: {
        method: 'POST',
        url: 'https://agent.example/a2a',
        headers: { 'Content-Type': 'application/json' },
        body: { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'task-1' } },
      },
      response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: {} },
    },
    rest: {
      ...{ from: 'client', to: 'agent' },
      request: {
        method: 'POST',
        url: 'https://agent.example/message:send',
        headers: { 'Content-Type': 'application/a2a+json', 'A2A-Version': '1.0' },
        body: {},
      },
      response: { status: 200, headers: { 'Content-Type': 'application/a2a+json' }, body: {} },
    },
    stream: {
      ...{ from: 'client', to: 'agent' },
      request: {
        method: 'POST',
        url: 'https://agent.example/a2a',
        headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
        body: { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: {} },
      },
      response: { status: 200, headers: { 'Content-Type': 'text/event-stream' }, sse: [] },
    },
    webhook: {
      ...{ from: 'agent', to: 'webhook receiver' },
      request: {
        method: 'POST',
        url: 'https://hooks.client.example/a2a',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer b' },
        body: {},
      },
      response: { status: 204, headers: {} },
    },
  }).map(([name, line]) => {
    const [captured] = capturedFromNdjson([line]);
    if (captured === undefined) throw new Error(`${name} gives no exchange`);
    return [name, captured];
  }),
);
