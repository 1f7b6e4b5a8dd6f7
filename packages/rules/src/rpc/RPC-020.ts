import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const send = { method: 'SendMessage', params: { message: v1.message('hello') } } as const;
const payloads = ['task', 'message'] as const;

export default defineRule({
  id: 'RPC-020',
  level: 'MUST',
  party: 'server',
  summary: 'The result of `SendMessage` wraps the task as `task` or the message as `message`.',
  spec: { '1.0': '9.4.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    bare: 'The result is a bare {found} without the wrapper around it',
    none: 'The result has neither `task` nor `message`, but {found}',
    both: 'The result has both `task` and `message`',
  },
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
    bad: [
      { example: [rpc({ ...send, result: v1.task('COMPLETED') })], messages: ['bare'] },
      ...[{}, null, { text: 'hi', done: true }].map((result) => ({
        example: [rpc({ ...send, result })],
        messages: ['none'] as const,
      })),
      {
        example: [rpc({ ...send, result: { task: v1.task('COMPLETED'), message: v1.reply('hi') } })],
        messages: ['both'],
      },
    ],
  },
  when: ({ operation, response }) =>
    operation === 'SendMessage' &&
    response?.rpc?.members.includes('result') === true &&
    response.error === undefined,
  check: ({ payloads: seen, response }, { report }) => {
    const result = response?.rpc?.result;
    const at = { side: 'response', pointer: '/result' } as const;
    const expected = 'exactly one of task and message';
    const members = isJsonObject(result)
      ? payloads.filter((name) => result[name] !== undefined && result[name] !== null)
      : [];
    if (members.length === 1) return;
    const bare = seen.find(({ pointer }) => pointer === '/result');
    const actual = isJsonObject(result) ? Object.keys(result) : result;
    if (members.length > 1) report('both', { at, expected, actual });
    else if (bare !== undefined) report('bare', { data: { found: bare.kind }, at, expected, actual });
    else
      report('none', {
        data: { found: Array.isArray(actual) ? actual.join(', ') || 'no member' : actual },
        at,
        expected,
        actual,
      });
  },
});
