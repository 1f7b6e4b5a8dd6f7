import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { isMeantAsRpc } from './rpc-endpoint.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;
const refused = {
  responseId: null,
  error: { code: -32600, message: 'Request payload validation error' },
} as const;
const lost = rpc({
  version: '0.3',
  method: 'tasks/get',
  params: { id: 'task-1' },
  status: 404,
  responseText: '',
});
const astray = rpc({ ...call, status: 404, responseText: '' });
const got = rpc({ ...call, result: v1.task('WORKING') });
/** A POST that says nothing of JSON-RPC. */
const note = rpc({ ...call, requestText: 'GetTask task-1', status: 400, responseText: '' });

export default defineRule({
  id: 'RPC-001',
  level: 'MUST',
  party: 'client',
  summary: 'A request is an HTTP POST with one JSON-RPC 2.0 request object as its body.',
  spec: { '0.1': '6.11.1', '0.2': '6.11.1', '0.3': '6.11.1', '1.0': '9.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    verb: 'The JSON-RPC request is sent with {found} instead of POST',
    json: 'The body is no JSON: {problem}',
    batch: 'The body is a batch of {count}; A2A says nothing about batches',
    object: 'The body is {found} instead of a JSON-RPC request object',
    version: '`jsonrpc` is {found} instead of "2.0"',
    method: '`method` is {found} instead of a method name',
    path: 'The request goes to {path}: the name of the method was added to the URL',
  },
  why: 'Nothing else is a call: the server has to refuse it, and often cannot even say to whom. Batches are part of JSON-RPC, and A2A says nothing of them, so they are a warning.',
  fix: 'POST `{"jsonrpc": "2.0", "id": …, "method": …, "params": {…}}` to the URL of the JSON-RPC interface.',
  examples: {
    good: [
      [got],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [note],
      [getCard(v1.card()), { ...note, request: { ...note.request, url: 'https://agent.example/notes' } }],
    ],
    bad: [
      { example: [{ ...got, request: { ...got.request, method: 'PUT' } }], messages: ['verb'] },
      {
        example: [
          rpc({
            ...call,
            requestText: '{"jsonrpc": "2.0", "id": 1,',
            responseId: null,
            error: { code: -32700, message: 'Invalid JSON payload' },
          }),
        ],
        messages: ['json'],
      },
      {
        example: [rpc({ ...call, ...refused, requestBody: [{ jsonrpc: '2.0', id: 1, ...call }] })],
        messages: ['batch'],
      },
      { example: [rpc({ ...call, ...refused, requestBody: 'GetTask' })], messages: ['object'] },
      { example: [rpc({ ...call, ...refused, requestBody: { id: 1, ...call } })], messages: ['version'] },
      {
        example: [rpc({ ...call, ...refused, requestBody: { jsonrpc: '2.0', id: 1, params: {} } })],
        messages: ['method'],
      },
      {
        example: [rpc({ ...call, ...refused, requestBody: { jsonrpc: '2.0', id: 1, method: '' } })],
        messages: ['method'],
      },
      // By the card the URL is that of JSON-RPC.
      { example: [getCard(v1.card()), note], messages: ['json'] },
      {
        example: [{ ...lost, request: { ...lost.request, url: 'https://agent.example/a2a/tasks/get' } }],
        messages: ['path'],
      },
      {
        example: [
          rpc({
            ...call,
            status: 405,
            responseText: '',
          }),
        ].map((exchange) => ({
          ...exchange,
          request: { ...exchange.request, url: 'https://agent.example/a2a/GetTask' },
        })),
        messages: ['path'],
      },
      {
        example: [{ ...astray, request: { ...astray.request, url: 'https://agent.example/a2a/GetTask' } }],
        messages: ['path'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!isMeantAsRpc(exchange, conversation)) return false;
    return isUnread(exchange.request.json.state) ? 'undecidable' : true;
  },
  check: ({ captured, request, response }, { report }) => {
    const at = { side: 'request', pointer: '' } as const;
    const { json, rpc: envelope } = request;
    if (captured.request.method !== 'POST')
      report('verb', { data: { found: captured.request.method }, at: { side: 'request' }, expected: 'POST' });
    if (json.state === 'invalid') report('json', { data: { problem: json.problem }, at });
    else if (Array.isArray(json.value))
      report('batch', {
        data: { count: json.value.length },
        at,
        outcome: 'warn',
        expected: 'one request object',
      });
    else if (!isJsonObject(json.value) || envelope === undefined)
      report('object', { data: { found: json.value }, at, expected: 'a request object', actual: json.value });
    else {
      if (envelope.jsonrpc !== '2.0')
        report('version', {
          data: { found: envelope.jsonrpc },
          at: { side: 'request', pointer: '/jsonrpc' },
          expected: '2.0',
          actual: envelope.jsonrpc,
        });
      if (typeof envelope.method !== 'string' || envelope.method === '')
        report('method', {
          data: { found: envelope.method },
          at: { side: 'request', pointer: '/method' },
          expected: 'a method name',
          actual: envelope.method,
        });
      // All methods share one URL; where nobody is at home the longer path is to blame.
      else if (
        request.path.endsWith(`/${envelope.method}`) &&
        (response?.status === 404 || response?.status === 405)
      )
        report('path', { data: { path: request.path }, at: { side: 'request' }, actual: request.path });
    }
  },
});
