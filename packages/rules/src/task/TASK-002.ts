import { type DecodedExchange, isTerminal } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation, Subjects, TaskObservation } from '@plugfest/verifier';
import { defineRule, requestTenant } from '@plugfest/verifier';
import { rest, restError, rpc, timed, v1, v03 } from '@plugfest/verifier/examples';
import { seenBefore } from '../before.ts';
import { onceForEachIn } from '../last-exchange.ts';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { isSameCaller } from '../same-caller.ts';
import { isInventedTask } from '../task-before.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];
const notFound = { code: -32001, message: 'No such task', data: details };
const probe = { method: 'GetTask', params: { id: 'no-such-task' }, purpose: 'probe' } as const;
const unsupported = [v1.errorInfo('UNSUPPORTED_OPERATION')];
const badId = {
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: [{ field: 'id', description: 'no UUID' }],
};
const page = { nextPageToken: '', pageSize: 50, totalSize: 1 };
const listed = rpc({
  method: 'ListTasks',
  params: {},
  result: { tasks: [v1.task('COMPLETED', { artifacts: undefined })], ...page },
});

const other = rpc({
  method: 'GetTask',
  params: { id: 'task-2' },
  result: v1.task('WORKING', { id: 'task-2' }),
});

export default defineRule({
  id: 'TASK-002',
  level: 'MUST',
  party: 'server',
  summary: 'Get Task answers TaskNotFoundError for tasks that do not exist, and no others.',
  spec: { '0.1': '7.3', '0.2': '7.3', '0.3': '7.3', '1.0': '3.1.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    known: 'The agent does not find task {task}, which it showed as {state} before',
    served: 'The agent returns task {task}, which does not exist',
    other: 'Getting task {task}, which does not exist, is refused with {found}',
  },
  why: 'The client takes its task for lost and starts the work again; or it polls for ever for one that never was. Ids of a wrong form may be found invalid before they are looked up, so InvalidParamsError is a warning. A finished task may have been forgotten since it was shown, so there it is a warning, unless a list named it just now.',
  fix: 'Let sending, listing and getting look into one store, and keep tasks in it while somebody may ask for them.',
  examples: {
    good: [
      [rpc({ ...probe, error: notFound })],
      [rpc({ ...get, result: v1.task('WORKING') }), rpc({ ...get, result: v1.task('WORKING') })],
      [listed, rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('COMPLETED') })],
    ],
    skip: [
      [rpc({ ...get, error: notFound })],
      // A gateway knows no tasks.
      [
        rpc({
          ...probe,
          status: 502,
          responseHeaders: { 'Content-Type': 'text/html' },
          responseText: '<h1>Bad Gateway</h1>',
        }),
      ],
      [rpc({ ...get, result: v1.task('WORKING') })],
      // Another tenant must not see it.
      [
        rpc({ ...get, params: { id: 'task-1', tenant: 'acme' }, result: v1.task('WORKING') }),
        rpc({ ...get, params: { id: 'task-1', tenant: 'globex' }, error: notFound }),
      ],
      // Nor may another principal.
      [
        rpc({ ...get, headers: { Authorization: 'Bearer one' }, result: v1.task('WORKING') }),
        rpc({ ...get, headers: { Authorization: 'Bearer two' }, error: notFound }),
      ],
    ],
    bad: [
      { example: [listed, rpc({ ...get, error: notFound })], messages: ['known'] },
      {
        example: [timed(other, 0), timed(listed, 8), timed(rpc({ ...get, error: notFound }), 12)],
        messages: ['known'],
        outcomes: ['fail'],
      },
      {
        example: [timed(other, 0), timed(listed, 8), timed(rpc({ ...get, error: notFound }), 30)],
        messages: ['known'],
        outcomes: ['warn'],
      },
      {
        example: [rpc({ ...get, result: v1.task('COMPLETED') }), rpc({ ...get, error: notFound })],
        messages: ['known'],
        outcomes: ['warn'],
      },
      {
        example: [
          rpc({ ...get, result: v1.task('WORKING') }),
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            status: 404,
            response: restError(404, 'NOT_FOUND', 'No such task', details),
          }),
        ],
        messages: ['known'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('hello') },
            result: v03.task('working'),
          }),
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            error: { code: -32001, message: 'No such task' },
          }),
        ],
        messages: ['known'],
      },
      {
        example: [rpc({ ...probe, result: v1.task('SUBMITTED', { id: 'no-such-task' }) })],
        messages: ['served'],
      },
      {
        example: [
          rpc({
            ...probe,
            version: '0.3',
            method: 'tasks/get',
            result: v03.task('submitted', { id: 'no-such-task' }),
          }),
        ],
        messages: ['served'],
      },
      {
        example: [rpc({ ...probe, error: { code: -32004, message: 'No', data: unsupported } })],
        messages: ['other'],
      },
      {
        example: [rpc({ ...probe, error: { code: -32602, message: 'Invalid parameters', data: [badId] } })],
        messages: ['other'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const refusal = refusalOf(exchange);
    if (isInventedTask(exchange, conversation, taskIdOf(exchange))) {
      if (!announcesItsVersion(exchange)) return false;
      if (refusal === undefined) return wasServed(exchange);
      if (refusal.name === 'TaskNotFoundError') return true;
      return concernsOperation(refusal) && isNothingElseWrong(exchange, refusal);
    }
    return (
      shownBefore(exchange, conversation) !== undefined &&
      (wasServed(exchange) || refusal?.name === 'TaskNotFoundError')
    );
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    const shown = shownBefore(exchange, conversation);
    if (shown === undefined) {
      const found = refusal?.name;
      if (found === 'TaskNotFoundError') return;
      report(refusal === undefined ? 'served' : 'other', {
        ...(found === 'InvalidParamsError' ? { outcome: 'warn' as const } : {}),
        data: { task: taskIdOf(exchange), found },
        at: { side: 'response', pointer: refusal?.pointer ?? '' },
        expected: 'TaskNotFoundError',
        actual: found ?? 'a result',
      });
      return;
    }
    if (refusal === undefined) return;
    const sinceNs = exchange.captured.request.atNs - shown.atNs;
    const forgotten = isTerminal(shown.state) && !(shown.channel === 'list' && sinceNs < justNowNs);
    report('known', {
      ...(forgotten ? { outcome: 'warn' as const } : {}),
      data: { task: taskIdOf(exchange), state: shown.state },
      at: { side: 'response', pointer: refusal.pointer },
      expected: 'the task',
      actual: refusal.name,
    });
  },
});

/** Such a refusal may be about the rest of the request: its envelope, or the only other thing that Get Task is told. */
function isNothingElseWrong(
  { request }: Subjects['exchange'],
  { name }: NonNullable<ReturnType<typeof refusalOf>>,
): boolean {
  if (name === 'InvalidRequestError') return false;
  return (
    name !== 'InvalidParamsError' || !(isJsonObject(request.params) && 'historyLength' in request.params)
  );
}

/** A probe with another version than that of its words is about the version; its task may be a real one. */
function announcesItsVersion({ dialect, request }: Subjects['exchange']): boolean {
  const { a2aVersion } = request;
  return a2aVersion === undefined ? dialect.version !== '1.0' : a2aVersion === dialect.version;
}

/** A list this old still says that its tasks are there. */
const justNowNs = 10_000_000_000;

function taskIdOf({ operation, request }: DecodedExchange): string | undefined {
  if (operation !== 'GetTask' || !isJsonObject(request.params)) return undefined;
  const { id } = request.params;
  return typeof id === 'string' ? id : undefined;
}

/** The last look at the task that the agent gave this caller before; others may not be allowed to see it. */
const shownBefore = onceForEachIn((exchange, conversation: Conversation): TaskObservation | undefined => {
  const { captured } = exchange;
  const agent = captured.edge.callee;
  const taskId = taskIdOf(exchange);
  if (taskId === undefined) return undefined;
  // Under another tenant the agent must not find it (section 13.1).
  if (conversation.tenantOf(agent, taskId) !== requestTenant(exchange)) return undefined;
  return conversation
    .task(agent, taskId)
    ?.observations.findLast(
      (look) =>
        look.state !== undefined && isSameCaller(look.exchange, captured) && seenBefore(look, captured),
    );
});
