import type { TaskState } from '@plugfest/model';
import type { TaskHistory } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { mayResume } from './resumed.ts';
import { placeOf, type Step, stepsOf } from './steps.ts';

const get = (state: string, more: Parameters<typeof v1.status>[1] = {}) =>
  rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    result: v1.task(state, { status: v1.status(state, more) }),
  });
const goesOn = get('WORKING', { timestamp: '2026-01-01T00:00:04.000Z' });
const consent = { message: v1.message('it is granted', { taskId: 'task-1', contextId: 'ctx-1' }) };

export default defineRule({
  id: 'LIFE-006',
  level: 'INFO',
  party: 'server',
  summary:
    'A task that waited for authorisation goes on after a message, or by a credential that came elsewhere.',
  spec: { '1.0': '7.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    alone: 'Task {task} waited for authorisation and goes on as {state}, without a message of the client',
  },
  why: 'It is allowed, and noted for the reader: the credential came over another way, which the capture does not show, and a client that only waits for its own turn misses the rest.',
  fix: 'Nothing needs to change; the client should listen to the task while somebody else may authorise it.',
  examples: {
    good: [
      [
        get('AUTH_REQUIRED'),
        rpc({ method: 'SendMessage', params: consent, result: { task: v1.task('COMPLETED') } }),
      ],
      [
        get('AUTH_REQUIRED'),
        rest({
          verb: 'POST',
          path: '/message:send',
          body: consent,
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [
      [get('WORKING'), get('COMPLETED')],
      [get('AUTH_REQUIRED'), get('AUTH_REQUIRED')],
    ],
    bad: [
      { example: [get('AUTH_REQUIRED'), goesOn], messages: ['alone'], outcomes: ['info'] },
      {
        example: [get('AUTH_REQUIRED'), goesOn, get('AUTH_REQUIRED'), goesOn],
        messages: ['alone', 'alone'],
        outcomes: ['info', 'info'],
      },
    ],
  },
  when: (task, { conversation }) => {
    const left = [...stepsLeaving(task)];
    if (left.length === 0) return false;
    const isCut = ({ before, after }: Step): boolean =>
      conversation.gapBetween(before.exchange.startNs, after.atNs);
    return left.every(isCut) ? 'undecidable' : true;
  },
  check: (task, { conversation, report }) => {
    for (const { before, after } of stepsLeaving(task)) {
      if (conversation.gapBetween(before.exchange.startNs, after.atNs)) continue;
      if (task.actions.some((action) => mayResume(action, before, after))) continue;
      report('alone', { ...placeOf(after), data: { task: task.id, state: after.state } });
    }
  },
});

/** A task waits for authorisation once, or a few times. */
const comparedSteps = 32;

/** The looks that show a task going on which waited for authorisation. */
const stepsLeaving = ({ observations }: TaskHistory) =>
  stepsOf(observations)
    .filter(({ before, after }) => before.state === 'TASK_STATE_AUTH_REQUIRED' && goesOnAs.has(after.state))
    .take(comparedSteps);

const goesOnAs: ReadonlySet<TaskState> = new Set<TaskState>(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
