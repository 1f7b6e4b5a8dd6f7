import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const send = { method: 'SendMessage', params: { message: v1.message('hello') } } as const;
const members = ['task', 'message'] as const;

export default defineRule({
  id: 'RPC-020',
  level: 'MUST',
  party: 'server',
  summary: 'The result of `SendMessage` wraps the task as `task` or the message as `message`.',
  spec: { '1.0': '9.4.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['SendMessage'],
  messages: { bare: 'The result is a bare {found} without the wrapper around it' },
  why: 'The client reads `result.task` or `result.message`; of a bare object it finds neither and takes the answer for empty.',
  fix: 'Answer `{"result": {"task": {…}}}` or `{"result": {"message": {…}}}`.',
  examples: {
    good: [
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [rpc({ ...send, result: { message: v1.reply('hi') } })],
    ],
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
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('completed'),
        }),
      ],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: { message: v1.reply('hi') },
        }),
      ],
    ],
    bad: [{ example: [rpc({ ...send, result: v1.task('COMPLETED') })], messages: ['bare'] }],
  },
  when: ({ operation, response }) =>
    operation === 'SendMessage' &&
    response?.rpc?.members.includes('result') === true &&
    response.error === undefined,
  check: ({ payloads, response }, { report }) => {
    // An answer with neither, or with both, is the matter of SEND-003.
    const bare = payloads.find(({ side, pointer }) => side === 'response' && pointer === '/result');
    const result = response?.rpc?.result;
    if (bare === undefined || (isJsonObject(result) && members.some((name) => isJsonObject(result[name]))))
      return;
    report('bare', {
      data: { found: bare.kind },
      at: { side: 'response', pointer: '/result' },
      expected: '{"task": …} or {"message": …}',
      actual: isJsonObject(result) ? Object.keys(result) : result,
    });
  },
});
