import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';

const get = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'VER-014',
  level: 'INFO',
  party: 'sender',
  summary:
    'A call from before 1.0 shows its version by its method, by the shape of its result, or by a header.',
  spec: { '0.1': '3.6.1 of 1.0', '0.2': '3.6.1 of 1.0', '0.3': '3.6.1 of 1.0' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { guessed: 'Nothing shows the version of this call of {method}; it is judged as {version}' },
  // Where nothing shows it, 0.3 is what an absent header means.
  where: { guessed: { versions: ['0.3'] } },
  why: 'No header announced a version then, and some methods have the same name in all of them: what is said of such a call may be said by the wrong text.',
  fix: 'Nothing has to be done; a capture that has the rest of the conversation decides it.',
  examples: {
    good: [
      [rpc({ ...get, result: v03.task('working') })],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('completed'),
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpc({ ...get, error: { code: -32603, message: 'Internal error' } })],
        messages: ['guessed'],
      },
    ],
  },
  when: ({ operation }) => operation !== undefined,
  check: ({ decidedBy, wireMethod, dialect }, { report }) => {
    if (decidedBy !== 'default') return;
    report('guessed', { data: { method: wireMethod, version: dialect?.version }, at: { side: 'request' } });
  },
});
