import { defineRule } from '@plugfest/verifier';
import { rpc, rpcStream, v03 } from '@plugfest/verifier/examples';
import { reportSilentWaits, waitsForAuthorisation } from './silent-wait.ts';

const get = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;
const silent = v03.task('auth-required', { status: v03.status('auth-required', { message: undefined }) });

export default defineRule({
  id: 'ITA-008',
  level: 'SHOULD',
  party: 'server',
  summary: 'A task in `auth-required` says in its status message which credentials are needed.',
  spec: { '0.2': '4.5', '0.3': '4.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { silent: 'The task is in auth-required, and its status has no message' },
  why: 'The client does not know what to ask its user for, and the task waits for ever.',
  fix: 'Put into `status.message` what has to be authorised and how, e.g. as a data part.',
  examples: {
    good: [
      [rpc({ ...get, result: v03.task('auth-required') })],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('auth-required'),
        }),
      ],
    ],
    skip: [[rpc({ ...get, result: v03.task('working') })]],
    bad: [
      { example: [rpc({ ...get, result: silent })], messages: ['silent'] },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [
              v03.task('working'),
              v03.statusUpdate('auth-required', {
                status: v03.status('auth-required', { message: undefined }),
              }),
            ],
          }),
        ],
        messages: ['silent'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some(waitsForAuthorisation),
  check: (exchange, { report }) => {
    reportSilentWaits(exchange, report);
  },
});
