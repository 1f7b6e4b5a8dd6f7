import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import type { HttpExampleExchange } from '@plugfest/verifier/examples';
import { rpcStream, timed, v1, v03 } from '@plugfest/verifier/examples';

/** A stream of six seconds on an HTTP/2 connection. */
function stream(id: Json, second: number): HttpExampleExchange {
  const task = { id: `task-${second}`, contextId: `ctx-${second}` };
  const update = { taskId: task.id, contextId: task.contextId };
  const call = rpcStream({
    id,
    method: 'SendStreamingMessage',
    params: { message: v1.message(`hello ${second}`) },
    events: [
      { task: v1.task('WORKING', task) },
      v1.artifactUpdate('answer', update),
      v1.statusUpdate('COMPLETED', update),
    ],
  });
  return timed(overHttp2(call), second, [second + 1, second + 2, second + 6]);
}

/** The same in the dialects of 0.2 and 0.3. */
function older(version: '0.2' | '0.3', id: Json, second: number): HttpExampleExchange {
  const task = { id: `task-${second}`, contextId: `ctx-${second}` };
  const update = { taskId: task.id, contextId: task.contextId };
  const call = rpcStream({
    version: '0.3',
    ...(version === '0.2' ? { headers: { 'A2A-Version': '0.2' } } : {}),
    id,
    method: 'message/stream',
    params: { message: v03.message(`hello ${second}`) },
    events: [
      v03.task('working', task),
      v03.artifactUpdate('answer', update),
      v03.statusUpdate('completed', update),
    ],
  });
  return timed(overHttp2(call), second, [second + 1, second + 2, second + 6]);
}

/** The same in the dialect of 0.1. */
function oldest(id: Json, second: number): HttpExampleExchange {
  const task = `task-${second}`;
  const status = (state: string, at: number, final: boolean) => ({
    id: task,
    status: { state, timestamp: `2026-01-01T00:00:0${at}Z` },
    final,
  });
  const call = rpcStream({
    version: '0.3',
    id,
    method: 'tasks/sendSubscribe',
    params: {
      id: task,
      sessionId: `s-${second}`,
      message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
    },
    events: [
      status('working', 1, false),
      { id: task, artifact: { index: 0, parts: [{ type: 'text', text: 'answer' }], lastChunk: true } },
      status('completed', 2, true),
    ],
  });
  return timed(overHttp2(call), second, [second + 1, second + 2, second + 6]);
}

function overHttp2(call: HttpExampleExchange): HttpExampleExchange {
  return { ...call, connection: 'c-1', request: { ...call.request, http_version: '2.0' } };
}

export default defineRule({
  id: 'RPC-028',
  level: 'SHOULD',
  party: 'client',
  summary: 'Calls that are open at once on one connection have different ids.',
  spec: { '0.1': '6.11.1', '0.2': '6.11.1', '0.3': '6.11.1', '1.0': '9.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { same: 'The call has the id {id}, which another call on this connection has at the same time' },
  why: 'Servers, logs and gateways that find the call by its id mix up the answers, or cancel the wrong one.',
  fix: 'Count the ids up, or make each one up anew.',
  examples: {
    good: [
      [stream(1, 0), stream(2, 3)],
      [stream(1, 0), stream('1', 3)],
      [older('0.3', 1, 0), older('0.3', 2, 3)],
      [older('0.2', 1, 0), older('0.2', 2, 3)],
      [oldest(1, 0), oldest(2, 3)],
    ],
    skip: [[stream(1, 0), stream(1, 10)]],
    bad: [
      { example: [stream(1, 0), stream(1, 3)], messages: ['same'] },
      { example: [older('0.3', 1, 0), older('0.3', 1, 3)], messages: ['same'] },
      { example: [older('0.2', 1, 0), older('0.2', 1, 3)], messages: ['same'] },
      { example: [oldest(1, 0), oldest(1, 3)], messages: ['same'] },
    ],
  },
  when: (exchange, { conversation }) =>
    typeof exchange.request.rpc?.id !== 'undefined' &&
    exchange.request.rpc.id !== null &&
    conversation.callsBeside(exchange).length > 0,
  check: (exchange, { conversation, report }) => {
    const id = exchange.request.rpc?.id;
    if (conversation.callsBeside(exchange).every((call) => call.id !== id)) return;
    report('same', {
      data: { id },
      at: { side: 'request', pointer: '/id' },
      expected: 'an id of its own',
      actual: id,
    });
  },
});
