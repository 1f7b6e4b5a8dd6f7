import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { isAgentAnswer } from './rpc-answer.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;
const notFound = { code: -32001, message: 'Task not found', data: [v1.errorInfo('TASK_NOT_FOUND')] };
const twofold = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Model failed' } };

export default defineRule({
  id: 'RPC-010',
  level: 'MUST',
  party: 'server',
  summary: 'A response has either `result` or `error`, and never both.',
  spec: { '0.2': '6.11.2', '0.3': '6.11.2', '1.0': '9.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    neither: 'The response has neither `result` nor `error`, but {found}',
    both: 'The response has both `result` and `error`',
    event: 'Event {event} has both `result` and `error`',
  },
  why: 'A client cannot tell whether the call worked: with neither it waits or fails, with both it believes the one it looks at first.',
  fix: 'Send `result` on success, `null` where there is nothing to say, and `error` on failure.',
  examples: {
    good: [
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rpc({ ...call, error: notFound })],
      [
        rpc({
          version: '0.3',
          method: 'tasks/pushNotificationConfig/delete',
          params: { id: 'task-1', pushNotificationConfigId: 'config-1' },
          result: null,
        }),
      ],
    ],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [rpc({ ...call, status: 401, responseBody: { message: 'unauthorized' } })],
    ],
    bad: [
      { example: [rpc({ ...call, responseBody: { jsonrpc: '2.0', id: 1 } })], messages: ['neither'] },
      { example: [rpc({ ...call, status: 500, responseBody: { detail: 'oops' } })], messages: ['neither'] },
      { example: [rpc({ ...call, responseText: '' })], messages: ['neither'] },
      {
        example: [rpc({ ...call, responseBody: { ...twofold, result: v1.task('FAILED') } })],
        messages: ['both'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ task: v1.task('WORKING') }],
            raw: `data: ${JSON.stringify({ ...twofold, result: v1.statusUpdate('FAILED') })}\n\n`,
          }),
        ],
        messages: ['event'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            responseBody: {
              jsonrpc: '2.0',
              id: 1,
              result: v03.task('failed'),
              error: { code: -32603, message: 'x' },
            },
          }),
        ],
        messages: ['both'],
      },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [v03.task('working')],
            raw: `data: ${JSON.stringify({ ...twofold, result: v03.task('failed') })}\n\n`,
          }),
        ],
        messages: ['event'],
      },
    ],
  },
  when: (exchange) => {
    const { request, response } = exchange;
    if (request.rpc?.members.includes('method') !== true || response === undefined) return false;
    if (response.events !== undefined)
      return response.events.some(({ rpc: envelope }) => envelope !== undefined);
    if (!isAgentAnswer(exchange)) return false;
    // A notification is not answered.
    if (response.complete && response.json.text === '' && !isUnread(response.json.state))
      return request.rpc.members.includes('id');
    if (isUnread(response.json.state)) return 'undecidable';
    return response.json.state === 'ok';
  },
  check: ({ response }, { report }) => {
    // That an event has one of the two is the subject of SSE-003.
    for (const { index, rpc: envelope } of response?.events ?? [])
      if (envelope?.members.includes('result') === true && envelope.members.includes('error'))
        report('event', {
          data: { event: index },
          at: { side: 'response', event: index, pointer: '' },
          expected: 'either result or error',
        });
    if (response?.events !== undefined) return;
    const members = response?.rpc?.members ?? [];
    const hasResult = members.includes('result');
    if (hasResult !== members.includes('error')) return;
    const { value } = response?.json ?? {};
    report(hasResult ? 'both' : 'neither', {
      data: { found: isJsonObject(value) ? Object.keys(value).join(', ') : (value ?? 'an empty body') },
      at: { side: 'response', pointer: '' },
      expected: 'either result or error',
      actual: value,
    });
  },
});
