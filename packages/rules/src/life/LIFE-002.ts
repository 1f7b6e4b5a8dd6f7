import { defineRule } from '@plugfest/verifier';
import { deliver, rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { changeAfterEnd, endOf, isNewer } from './ends.ts';
import { placeOf } from './steps.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const get03 = (state: string) =>
  rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task(state) });

const resubscribe03 = rpcStream({
  version: '0.3',
  method: 'tasks/resubscribe',
  params: { id: 'task-1' },
  events: [v03.statusUpdate('working')],
});

export default defineRule({
  id: 'LIFE-002',
  level: 'MUST',
  party: 'server',
  summary: 'A task that has reached a terminal state stays in it.',
  spec: { '0.2': '6.1', '0.3': '6.1', '1.0': '3.1.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { changed: 'Task {task} was {before} and is {after} later' },
  why: 'A client acts on the terminal state: it releases the work, bills it, or starts the next task. Of 0.2 only the later texts demand it, so there it is a warning.',
  fix: 'Never change a finished task; do further work in a new task of the same context.',
  examples: {
    good: [
      [get('WORKING'), get('COMPLETED'), get('COMPLETED')],
      [get03('working'), get03('completed'), get03('completed')],
      // A delivery that comes late says nothing about order.
      [get('COMPLETED'), deliver(v1.statusUpdate('WORKING')), get('COMPLETED')],
    ],
    skip: [
      [get('WORKING'), get('WORKING')],
      [get('COMPLETED')],
      // A state that says nothing is no other state.
      [get('COMPLETED'), get('UNSPECIFIED')],
      // A 0.x agent may play old events back.
      [get03('completed'), resubscribe03],
    ],
    bad: [
      { example: [get('COMPLETED'), get('WORKING')], messages: ['changed'] },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
          }),
          rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('FAILED') }),
        ],
        messages: ['changed'],
      },
      { example: [get03('canceled'), get03('working')], messages: ['changed'] },
      {
        example: [
          get('COMPLETED'),
          rpcStream({
            method: 'SubscribeToTask',
            params: { id: 'task-1' },
            events: [{ task: v1.task('WORKING') }],
          }),
        ],
        messages: ['changed'],
      },
    ],
  },
  when: ({ observations }) => {
    const end = endOf(observations);
    return end !== undefined && observations.some((each) => isNewer(each, end));
  },
  check: ({ id, observations }, { report }) => {
    const end = endOf(observations);
    const look = changeAfterEnd(observations);
    if (end === undefined || look === undefined) return;
    report('changed', {
      ...placeOf(look),
      ...(look.version === '0.2' ? { outcome: 'warn' as const } : {}),
      data: { task: id, before: end.state, after: look.state },
      expected: end.state ?? 'a terminal state',
      actual: look.state,
    });
  },
});
