import { isTerminal } from '@plugfest/a2a';
import type { TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rest, rpc, v1 } from '@plugfest/verifier/examples';

const create = {
  at: '2026-01-01T00:00:00Z',
  ...rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig(),
    result: v1.pushConfig({ id: 'config-1' }),
  }),
};
const told = { at: '2026-01-01T00:00:10Z', ...deliver(v1.statusUpdate('COMPLETED')) };
const toldAll = { at: '2026-01-01T00:00:10Z', ...deliver({ task: v1.task('COMPLETED') }) };
const get = {
  at: '2026-01-01T00:00:11Z',
  ...rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') }),
};
const later = {
  at: '2026-01-01T00:05:00Z',
  ...rest({
    verb: 'GET',
    path: '/tasks/task-2',
    response: v1.task('WORKING', { id: 'task-2', contextId: 'ctx-2' }),
  }),
};

export default defineRule({
  id: 'GUIDE-015',
  level: 'INFO',
  party: 'client',
  summary: 'A client that is notified of the end of a task fetches the task.',
  spec: {
    '0.2': 'Guide: Push notifications',
    '0.3': 'Guide: Push notifications',
    '1.0': 'Guide: Push notifications',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { unread: 'The client was notified that task {task} is {state}, and did not fetch it' },
  why: 'A notification says that something changed; what is true, and the artifacts, are with the agent. The client may have all that it needs, so it is noted only.',
  fix: 'Verify the notification, then call Get Task, and act on that answer.',
  examples: {
    good: [
      [create, told, get, later],
      [create, toldAll, get, later],
    ],
    skip: [
      [create, told],
      // The whole task came with it.
      [create, toldAll, later],
    ],
    bad: [{ example: [create, told, later], messages: ['unread'] }],
  },
  when: (task, { conversation }) => {
    const notice = noticeOf(task);
    if (notice === undefined) return false;
    if (wasFetched(task, notice)) return true;
    // The whole task came with it, and there is nothing more to fetch.
    if (notice.kind === 'task' || conversation.configsOf(task.agent, task.id).length === 0) return false;
    if (conversation.observedUntilNs - notice.atNs < patienceNs) return 'undecidable';
    return conversation.gapBetween(notice.atNs, notice.atNs + patienceNs) ? 'undecidable' : true;
  },
  check: (task, { conversation, report }) => {
    const notice = noticeOf(task);
    const config = conversation.configsOf(task.agent, task.id).at(-1);
    if (notice === undefined || config === undefined || wasFetched(task, notice)) return;
    report('unread', {
      // The duty is that of the client who registered the webhook.
      exchange: config.exchange,
      data: { task: task.id, state: notice.state },
      at: { side: 'request', pointer: config.pointer },
      expected: 'Get Task after the notification',
    });
  },
});

/** A client fetches what it was notified of within this time. */
const patienceNs = 60_000_000_000;

/** The delivery by which the client learned of the end: nothing had told it before. */
function noticeOf({ observations }: TaskHistory): TaskObservation | undefined {
  const first = observations.find(({ state }) => isTerminal(state));
  return first?.channel === 'webhook' ? first : undefined;
}

const wasFetched = ({ observations, actions }: TaskHistory, { atNs }: TaskObservation): boolean =>
  observations.some((look) => look.channel !== 'webhook' && look.atNs >= atNs) ||
  actions.some((action) => action.operation === 'GetTask' && action.atNs >= atNs);
