import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, timed, v1 } from '@plugfest/verifier/examples';
import { placeOf, stepsOf } from './steps.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });

export default defineRule({
  id: 'LIFE-004',
  level: 'SHOULD',
  party: 'server',
  summary: 'A task does not go back to SUBMITTED.',
  spec: { '1.0': '4.1.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { again: 'Task {task} was {before} and is submitted again' },
  why: 'SUBMITTED says that nothing has been done yet: a client shows the work as lost, or as started anew.',
  fix: 'Set SUBMITTED when the task is made, and never after.',
  examples: {
    good: [
      [
        get('SUBMITTED'),
        get('WORKING'),
        rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('COMPLETED') }),
      ],
      [get('SUBMITTED'), get('SUBMITTED')],
      // What comes late on a stream is not newer than what was asked for meanwhile.
      [
        timed(
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('SUBMITTED') },
              v1.statusUpdate('SUBMITTED'),
              v1.statusUpdate('WORKING'),
              v1.artifactUpdate('answer'),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
          0,
          [1, 6, 7, 8, 9],
        ),
        timed(get('WORKING'), 2),
        timed(get('WORKING'), 4),
      ],
    ],
    skip: [[get('SUBMITTED')], [get('UNSPECIFIED'), get('SUBMITTED')]],
    bad: [
      { example: [get('WORKING'), get('SUBMITTED')], messages: ['again'] },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('WORKING') },
              v1.statusUpdate('SUBMITTED'),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['again'],
      },
    ],
  },
  when: ({ observations }) => !stepsOf(observations).next().done,
  check: ({ id, observations }, { report }) => {
    for (const { before, after } of stepsOf(observations)) {
      if (after.state !== 'TASK_STATE_SUBMITTED' || before.state === after.state) continue;
      report('again', {
        ...placeOf(after),
        data: { task: id, before: before.state },
        expected: 'any state but TASK_STATE_SUBMITTED',
        actual: after.state,
      });
    }
  },
});
