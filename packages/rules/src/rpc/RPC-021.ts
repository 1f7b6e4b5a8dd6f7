import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const send = { version: '0.3', method: 'message/send', params: { message: v03.message('hello') } } as const;

export default defineRule({
  id: 'RPC-021',
  level: 'MUST',
  party: 'server',
  summary: 'The result of `message/send` is the task or the message itself, without a wrapper.',
  spec: { '0.2': '7.1', '0.3': '7.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['SendMessage'],
  messages: {
    wrapped: 'The result wraps the object in `{member}`, as in 1.0',
    other: 'The result is {found}, neither a task nor a message',
  },
  why: 'Clients of this version tell task and message apart by `kind` at the top of the result and refuse what has none.',
  fix: 'Answer with the Task or the Message itself as `result`, with its `kind`.',
  examples: {
    good: [[rpc({ ...send, result: v03.task('completed') })], [rpc({ ...send, result: v03.reply('hi') })]],
    skip: [
      [rpc({ ...send, error: { code: -32603, message: 'Internal error' } })],
      [
        rpc({
          ...send,
          responseBody: { jsonrpc: '2.0', id: 1, result: {}, error: { code: -32603, message: 'Failed' } },
        }),
      ],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...send, result: { task: v1.task('COMPLETED') } })], messages: ['wrapped'] },
      { example: [rpc({ ...send, result: { text: 'hi' } })], messages: ['other'] },
      { example: [rpc({ ...send, result: v03.statusUpdate('completed') })], messages: ['other'] },
    ],
  },
  when: ({ operation, response }) =>
    operation === 'SendMessage' &&
    response?.rpc?.members.includes('result') === true &&
    response.error === undefined,
  check: ({ payloads, response }, { report }) => {
    const result = response?.rpc?.result;
    const bare = payloads.some(
      ({ pointer, kind }) => pointer === '/result' && (kind === 'task' || kind === 'message'),
    );
    if (bare) return;
    const wrapper = isJsonObject(result)
      ? ['task', 'message'].find((name) => isJsonObject(result[name]))
      : undefined;
    report(wrapper === undefined ? 'other' : 'wrapped', {
      data: { member: wrapper, found: result },
      at: { side: 'response', pointer: '/result' },
      expected: 'a Task or a Message',
      actual: isJsonObject(result) ? Object.keys(result) : result,
    });
  },
});
