import { isTerminal } from '@plugfest/a2a';
import type { Conversation, PushConfigRecord, TaskHistory } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { dueWebhooks, endOf, isDecidable, isDeliveryTo, isLeftToCall } from './due.ts';

const send = {
  at: '2026-01-01T00:00:00Z',
  ...rpc({
    method: 'SendMessage',
    params: {
      message: v1.message('hello'),
      configuration: {
        returnImmediately: true,
        taskPushNotificationConfig: v1.pushConfig({ taskId: undefined }),
      },
    },
    result: { task: v1.task('WORKING') },
  }),
};
const other = {
  at: '2026-01-01T00:00:01Z',
  ...deliver(v1.statusUpdate('COMPLETED', { taskId: 'task-2', contextId: 'ctx-2' })),
};
const get = (at: string) => ({
  at,
  ...rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') }),
});
const delivery = (state: string) => ({ at: '2026-01-01T00:00:10Z', ...deliver(v1.statusUpdate(state)) });
const at = <E extends object>(second: string, exchange: E) => ({
  ...exchange,
  at: `2026-01-01T00:00:${second}Z`,
});
const registered = (second: string) =>
  at(
    second,
    rpc({
      method: 'CreateTaskPushNotificationConfig',
      params: v1.pushConfig(),
      result: v1.pushConfig({ id: 'config-1' }),
    }),
  );
const working = at('05', rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }));
/** To the webhook of somebody else. */
const elsewhere = at('10', deliver(v1.statusUpdate('COMPLETED'), { url: 'https://other.example/push' }));
const looks = [get('2026-01-01T00:00:09Z'), get('2026-01-01T00:05:00Z')] as const;

export default defineRule({
  id: 'HOOK-008',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'Each registered webhook gets at least one delivery for its task, and hears of the end.',
  spec: { '1.0': '4.3.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    never: 'Task {task} is {state}, and its webhook {url} was never called',
    end: 'The webhook {url} was called for task {task}, but not with its end, {state}',
  },
  why: 'The client waits for the call instead of polling, and takes the finished task for one that still runs. Which updates are delivered is left to the agent, so a missing last one is a warning.',
  fix: 'Call every webhook of the task when it becomes terminal, and log a delivery that cannot be made.',
  examples: {
    good: [[send, looks[0], delivery('COMPLETED'), looks[1]]],
    skip: [
      [send, looks[0]],
      // Nothing shows that calls to this webhook would be in the capture.
      [send, ...looks],
      // A task that had ended already is owed nothing.
      [get('2026-01-01T00:00:00Z'), registered('01'), other, looks[1]],
    ],
    bad: [
      { example: [send, other, ...looks], messages: ['never'] },
      { example: [send, other, ...looks.slice(0, 1), elsewhere, looks[1]], messages: ['never'] },
      { example: [registered('00'), other, working, ...looks], messages: ['never'] },
      { example: [send, looks[0], delivery('WORKING'), looks[1]], messages: ['end'] },
    ],
  },
  when: (task, { conversation }) => {
    const due = judged(task, conversation);
    if (due.length === 0) return false;
    return due.some((config) => isDecidable(config, task, conversation)) ? true : 'undecidable';
  },
  check: (task, { conversation, report }) => {
    const state = endOf(task)?.state;
    for (const config of judged(task, conversation)) {
      if (!isDecidable(config, task, conversation)) continue;
      const { url = '' } = config;
      const called = task.observations.filter((each) => isDeliveryTo(each, url));
      if (called.some((each) => isTerminal(each.state))) continue;
      const { exchange, pointer } = called.at(-1) ?? config;
      report(called.length === 0 ? 'never' : 'end', {
        exchange,
        ...(called.length === 0 ? {} : { outcome: 'warn' as const }),
        data: { task: task.id, state, url },
        at: { side: 'request', pointer },
        expected: `a delivery with ${state}`,
      });
    }
  },
});

const judged = (task: TaskHistory, conversation: Conversation): readonly PushConfigRecord[] =>
  dueWebhooks(task, conversation).filter((config) => !isLeftToCall(config, task, conversation));
