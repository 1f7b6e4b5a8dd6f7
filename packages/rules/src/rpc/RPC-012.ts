import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { isAgentAnswer } from './rpc-answer.ts';
import { isMeantAsRpc } from './rpc-endpoint.ts';

const broken = {
  method: 'GetTask',
  requestText: '{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params":',
  purpose: 'probe',
} as const;
const task01 = {
  id: 'task-1',
  sessionId: 's-1',
  status: { state: 'working', timestamp: '2026-01-01T00:00:02Z' },
};
const error = { code: -32700, message: 'Invalid JSON payload' } as const;

export default defineRule({
  id: 'RPC-012',
  level: 'MUST',
  party: 'server',
  summary: 'A body that is no JSON is answered with the error -32700 and the id null.',
  spec: { '0.1': '8.1', '0.2': '8.1', '0.3': '8.1', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    envelope: 'A malformed request is answered with HTTP {status} and no JSON-RPC response',
    result: 'A malformed request is answered with a result',
    code: 'A malformed request is answered with the error {found}',
    id: 'A malformed request is answered under the id {found}, which cannot have been read',
  },
  why: 'The client learns nothing it can act on: a page of a web framework tells neither that the JSON was at fault nor where.',
  fix: 'Catch the error of the body parser and answer `{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, …}}`.',
  examples: {
    good: [[rpc({ ...broken, responseId: null, error })]],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rpc({ ...broken, status: 413, responseText: '' })],
    ],
    bad: [
      {
        example: [
          rpc({
            ...broken,
            status: 400,
            responseHeaders: { 'Content-Type': 'text/html' },
            responseText: '<html><body>SyntaxError</body></html>',
          }),
        ],
        messages: ['envelope'],
      },
      { example: [rpc({ ...broken, responseId: null, result: v1.task('WORKING') })], messages: ['result'] },
      ...(['0.1', '0.2', '0.3'] as const).map((version) => ({
        example: [
          rpc({
            ...broken,
            version: '0.3',
            headers: { 'A2A-Version': version },
            responseId: null,
            result: version === '0.1' ? task01 : v03.task('working'),
          }),
        ],
        messages: ['result'] as const,
      })),
      {
        example: [rpc({ ...broken, responseId: null, error: { code: -32600, message: 'Invalid request' } })],
        messages: ['code'],
      },
      { example: [rpc({ ...broken, responseId: 1, error })], messages: ['id'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const { request, response } = exchange;
    if (request.json.state !== 'invalid' || request.mediaType !== 'application/json') return false;
    if (!isMeantAsRpc(exchange, conversation) || !isAgentAnswer(exchange) || response === undefined)
      return false;
    return isUnread(response.json.state) ? 'undecidable' : true;
  },
  check: ({ response }, { report }) => {
    const answer = response?.rpc;
    const at = { side: 'response', pointer: '' } as const;
    if (answer === undefined || !(answer.members.includes('error') || answer.members.includes('result'))) {
      report('envelope', { data: { status: response?.status }, at, expected: 'the error -32700' });
      return;
    }
    const error = response?.error;
    if (error === undefined) report('result', { at, expected: 'the error -32700' });
    else if (error.code !== -32700)
      report('code', {
        data: { found: error.code },
        at: { side: 'response', pointer: '/error/code' },
        expected: '-32700',
        actual: error.code,
      });
    else if (answer.id !== null)
      report('id', {
        data: { found: answer.id },
        at: { side: 'response', pointer: '/id' },
        expected: 'null',
        actual: answer.id,
      });
  },
});
