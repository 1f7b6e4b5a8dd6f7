import type { MessageView, Payload } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { onceForEach } from '../last-exchange.ts';

const get = (more: Parameters<typeof v1.task>[1]) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING', more) });
const saying = (more: Parameters<typeof v1.reply>[1]) =>
  v1.status('WORKING', { message: v1.reply('Working on it', more) });

export default defineRule({
  id: 'SEND-026',
  level: 'MUST',
  party: 'server',
  summary: 'The messages that an agent puts into a task have the agent role and the ids of that task.',
  spec: { '0.1': '6.2', '0.2': '6.2', '0.3': '6.2', '1.0': '4.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: {
    role: 'The status message has the role {found}',
    task: 'The {place} message belongs to task {found}, the task is {task}',
    context: 'The {place} message belongs to context {found}, the task to {context}',
  },
  // Messages of 0.1 have no ids.
  where: { task: { versions: ['0.2', '0.3', '1.0'] }, context: { versions: ['0.2', '0.3', '1.0'] } },
  why: 'Clients sort messages by their ids and show them by their role: the words land in another conversation, or in the mouth of the user. No text forbids the user role in a status, nor old messages in a history, so these are warnings.',
  fix: 'Write status messages as ROLE_AGENT (in 0.x `agent`), and set their ids from the task, or leave them out.',
  examples: {
    good: [
      [get({ status: saying({ taskId: 'task-1' }) })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          response: v1.task('WORKING', {
            history: [v1.message('hello'), v1.reply('What is needed?', { taskId: 'task-1' })],
          }),
        }),
      ],
      [
        rpc({
          version: '0.3',
          method: 'tasks/get',
          params: { id: 'task-1' },
          result: v03.task('input-required'),
        }),
      ],
    ],
    skip: [
      [get({})],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { message: v1.reply('hi') },
        }),
      ],
    ],
    bad: [
      { example: [get({ status: saying({ role: 'ROLE_USER' }) })], messages: ['role'] },
      { example: [get({ status: saying({ taskId: 'task-2' }) })], messages: ['task'] },
      { example: [get({ history: [v1.reply('hi', { taskId: 'task-2' })] })], messages: ['task'] },
      {
        example: [deliver(v1.statusUpdate('WORKING', { status: saying({ contextId: 'ctx-2' }) }))],
        messages: ['context'],
      },
    ],
  },
  when: (exchange) => owners(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { payload, taskId, contextId, spoken } of owners(exchange)) {
      const { side, event } = payload;
      for (const { message, place } of spoken) {
        const at = (member: string) => ({
          side,
          pointer: `${message.pointer}/${member}`,
          ...(event === undefined ? {} : { event }),
        });
        if (place === 'status' && message.role === 'ROLE_USER')
          report('role', {
            outcome: 'warn',
            data: { found: message.value.role },
            at: at('role'),
            expected: 'the agent role',
            actual: message.value.role,
          });
        if (message.taskId && taskId && message.taskId !== taskId)
          report('task', {
            ...(place === 'history' ? { outcome: 'warn' as const } : {}),
            data: { place, found: message.taskId, task: taskId },
            at: at('taskId'),
            expected: taskId,
            actual: message.taskId,
          });
        if (message.contextId && contextId && message.contextId !== contextId)
          report('context', {
            data: { place, found: message.contextId, context: contextId },
            at: at('contextId'),
            expected: contextId,
            actual: message.contextId,
          });
      }
    }
  },
});

interface Spoken {
  readonly message: MessageView;
  readonly place: 'status' | 'history';
}

interface Owner {
  readonly payload: Payload;
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly spoken: readonly Spoken[];
}

/** Tasks and status events that an agent sends, with its own messages in them. */
const owners = onceForEach(({ payloads, kind }): readonly Owner[] => {
  const fromAgent = kind === 'webhook' ? 'request' : 'response';
  return payloads.flatMap((payload): Owner[] => {
    if (payload.side !== fromAgent || (payload.kind !== 'task' && payload.kind !== 'statusUpdate')) return [];
    const owner = payload.kind === 'task' ? payload.task : payload.update;
    const spoken: Spoken[] = [];
    const { message } = owner.status;
    if (message !== undefined && isJsonObject(message.value)) spoken.push({ message, place: 'status' });
    const history = payload.kind === 'task' ? (payload.task.history ?? []) : [];
    for (const each of history)
      if (each.role === 'ROLE_AGENT') spoken.push({ message: each, place: 'history' });
    const taskId = payload.kind === 'task' ? payload.task.id : payload.update.taskId;
    return spoken.length === 0 ? [] : [{ payload, taskId, contextId: owner.contextId, spoken }];
  });
});
