import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { reportSilentWaits, waitsForAuthorisation } from './silent-wait.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const silent = v1.task('AUTH_REQUIRED', { status: v1.status('AUTH_REQUIRED', { message: undefined }) });

export default defineRule({
  id: 'ITA-002',
  level: 'MUST',
  party: 'server',
  summary: 'A task that waits for authorisation says in its status message what is needed.',
  spec: { '1.0': '7.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { silent: 'The task waits for authorisation, and its status has no message' },
  why: 'The client cannot know whom to ask for what, so the task waits until somebody gives up. Both sides may have agreed on the details beforehand, which the traffic does not show: so this is a warning.',
  fix: 'Set `status.message` to what has to be authorised, where, and by whom, when entering TASK_STATE_AUTH_REQUIRED.',
  examples: {
    good: [[rpc({ ...get, result: v1.task('AUTH_REQUIRED') })]],
    skip: [[rpc({ ...get, result: v1.task('WORKING') })]],
    bad: [
      { example: [rpc({ ...get, result: silent })], messages: ['silent'] },
      { example: [rest({ verb: 'GET', path: '/tasks/task-1', response: silent })], messages: ['silent'] },
    ],
  },
  when: ({ payloads }) => payloads.some(waitsForAuthorisation),
  check: (exchange, { report }) => {
    reportSilentWaits(exchange, report);
  },
});
