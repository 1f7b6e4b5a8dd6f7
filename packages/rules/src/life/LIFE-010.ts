import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';
import { shownStatus } from '../shown-state.ts';

const silent = v1.task('INPUT_REQUIRED', { status: v1.status('INPUT_REQUIRED', { message: undefined }) });

export default defineRule({
  id: 'LIFE-010',
  level: 'SHOULD',
  party: 'server',
  summary: 'A task that waits for input says in its status message what it needs.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { silent: 'The task waits for input, and its status has no message' },
  why: 'The client has nothing to ask its user, so the task waits until somebody gives up.',
  fix: 'Set `status.message` to the question when entering TASK_STATE_INPUT_REQUIRED.',
  examples: {
    good: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('INPUT_REQUIRED') })]],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: silent })],
        messages: ['silent'],
      },
      { example: [rest({ verb: 'GET', path: '/tasks/task-1', response: silent })], messages: ['silent'] },
    ],
  },
  when: ({ payloads }) =>
    payloads.some((payload) => shownStatus(payload)?.state === 'TASK_STATE_INPUT_REQUIRED'),
  check: ({ payloads }, { report }) => {
    for (const payload of payloads) {
      const status = shownStatus(payload);
      if (status?.state !== 'TASK_STATE_INPUT_REQUIRED' || status.message !== undefined) continue;
      report('silent', {
        at: placeOf(payload, '/status'),
        expected: 'a `message` in the status',
      });
    }
  },
});
