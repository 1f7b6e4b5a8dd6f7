import { isInterrupted, isTerminal } from '@plugfest/a2a';
import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { isSameCaller } from '../same-caller.ts';
import { isStillThere } from './listed.ts';
import { namedIn } from './registered.ts';

const stored = v1.pushConfig({ id: 'config-1' });
const task = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: stored,
});
const get = {
  method: 'GetTaskPushNotificationConfig',
  params: { taskId: 'task-1', id: 'config-1' },
} as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];
const notFound = { code: -32001, message: 'No such config', data: details };

export default defineRule({
  id: 'PUSH-012',
  level: 'MUST',
  party: 'server',
  summary: 'A push config can be read until its task ends or it is deleted.',
  spec: { '1.0': '3.1.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetTaskPushNotificationConfig'],
  messages: { lost: 'Config {id} is not found, though task {task} was {state} and nobody deleted it' },
  why: 'An agent that forgets a config, at a restart or in another instance, leaves its client waiting for a call that never comes. A task that was at work may have ended since, so there it is a warning.',
  fix: 'Keep push configs in a store that outlives the process and that all instances share.',
  examples: {
    good: [
      [task('INPUT_REQUIRED'), create, rpc({ ...get, result: stored })],
      [
        task('WORKING'),
        create,
        rest({
          verb: 'GET',
          path: '/tasks/task-1/pushNotificationConfigs/config-1',
          response: stored,
        }),
      ],
    ],
    skip: [
      [create, rpc({ ...get, result: stored })],
      [task('COMPLETED'), create, rpc({ ...get, error: notFound })],
      [
        task('WORKING'),
        rpc({
          method: 'CreateTaskPushNotificationConfig',
          params: v1.pushConfig({ id: 'config-1' }),
          error: { code: -32602, message: 'The webhook cannot be reached' },
        }),
        rpc({ ...get, error: notFound }),
      ],
    ],
    bad: [
      {
        example: [task('INPUT_REQUIRED'), create, rpc({ ...get, error: notFound })],
        messages: ['lost'],
        outcomes: ['fail'],
      },
      // A look at the task that shows no state changes nothing.
      ...[{}, { state: 'TASK_STATE_UNSPECIFIED' }].map((status) => ({
        example: [
          task('INPUT_REQUIRED'),
          rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING', { status }) }),
          create,
          rpc({ ...get, error: notFound }),
        ],
        messages: ['lost'] as const,
        outcomes: ['fail'] as const,
      })),
      {
        example: [
          task('WORKING'),
          create,
          rest({
            verb: 'GET',
            path: '/tasks/task-1/pushNotificationConfigs/config-1',
            status: 404,
            response: restError(404, 'NOT_FOUND', 'No such config', details),
          }),
        ],
        messages: ['lost'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (exchange.operation !== 'GetTaskPushNotificationConfig') return false;
    if (!wasServed(exchange) && refusalOf(exchange)?.name !== 'TaskNotFoundError') return false;
    const config = registeredConfig(exchange, conversation);
    const state = lastState(exchange, conversation);
    if (config === undefined || state === undefined || isTerminal(state)) return false;
    return isStillThere(exchange, conversation)(config) ? true : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return;
    const { taskId, configId } = namedIn(exchange);
    const state = lastState(exchange, conversation);
    report('lost', {
      ...(isInterrupted(state) ? {} : { outcome: 'warn' as const }),
      data: { id: configId, task: taskId, state },
      at: { side: 'response', pointer: refusal.pointer },
      expected: 'the config',
      actual: refusal.name,
    });
  },
});

/** The config that a get names, made by the same caller before, and not deleted. */
function registeredConfig(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): PushConfigRecord | undefined {
  const { edge, request } = exchange.captured;
  const { taskId, configId } = namedIn(exchange);
  return conversation
    .configsOf(edge.callee, taskId)
    .findLast(
      ({ id, accepted, deletedAtNs, exchange: registration, answeredAtNs = Number.POSITIVE_INFINITY }) =>
        accepted &&
        id !== undefined &&
        id === configId &&
        deletedAtNs === undefined &&
        isSameCaller(registration, exchange.captured) &&
        answeredAtNs <= request.atNs,
    );
}

const lastState = (exchange: Subjects['exchange'], conversation: Conversation) =>
  conversation
    .task(exchange.captured.edge.callee, namedIn(exchange).taskId)
    ?.observations.findLast(({ state }) => state !== undefined && state !== 'TASK_STATE_UNSPECIFIED')?.state;
