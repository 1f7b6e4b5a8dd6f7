import type { TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../life/steps.ts';

const get = (contextId: string) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING', { contextId }) });
const get03 = (contextId: string) =>
  rpc({
    version: '0.3',
    method: 'tasks/get',
    params: { id: 'task-1' },
    result: v03.task('working', { contextId }),
  });

export default defineRule({
  id: 'CTX-009',
  level: 'MUST',
  party: 'server',
  summary: 'A task stays in one context, on every channel.',
  spec: { '0.1': '6.1', '0.2': '6.1', '0.3': '6.1', '1.0': '3.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { changed: 'Task {task} was in context {before} and is in context {after} now' },
  why: 'Clients file tasks by their context; a task that moves disappears from its conversation and turns up in another.',
  fix: 'Store the context with the task when it is made, and read it from there for every answer, event and delivery.',
  examples: {
    good: [
      [get('ctx-1'), rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [get03('ctx-1'), get03('ctx-1')],
    ],
    skip: [
      [get('ctx-1')],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { message: v1.reply('hi') },
        }),
      ],
    ],
    bad: [
      { example: [get('ctx-1'), get('ctx-2'), get('ctx-2')], messages: ['changed'] },
      {
        example: [get('ctx-1'), deliver(v1.statusUpdate('COMPLETED', { contextId: 'ctx-2' }))],
        messages: ['changed'],
      },
      { example: [get03('ctx-1'), get03('ctx-2')], messages: ['changed'] },
    ],
  },
  when: (task) => named(task).length > 1,
  check: (task, { report }) => {
    const looks = named(task);
    const before = looks[0]?.contextId;
    const moved = looks.find((look) => look.contextId !== before && !isSaidOfAnswer(look, task));
    if (moved === undefined) return;
    const { exchange, at } = placeOf(moved);
    const after = moved.contextId;
    report('changed', {
      exchange,
      data: { task: task.id, before, after },
      at: { ...at, pointer: `${at.pointer}/contextId` },
      expected: before ?? 'the same context',
      actual: after,
    });
  },
});

/** Looks at the task that name its context. */
const named = ({ observations }: TaskHistory): readonly TaskObservation[] =>
  observations.filter(({ contextId }) => Boolean(contextId));

/**
 * In 1.0 the answer to a send that names no context is the matter of CTX-004, and that to one which names no task of
 * CTX-006.
 */
function isSaidOfAnswer({ version, channel, exchange }: TaskObservation, { actions }: TaskHistory): boolean {
  if (version !== '1.0' || (channel !== 'send' && channel !== 'stream')) return false;
  const named = actions.find((action) => action.exchange.id === exchange.id);
  return named === undefined || named.contextId === undefined;
}
