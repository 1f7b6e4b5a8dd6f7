import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { sentMessage } from '../sent-message.ts';
import { isOwnTask, taskBefore } from '../task-before.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const more = { message: v1.message('more', { taskId: 'task-1' }) };
const details = [v1.errorInfo('UNSUPPORTED_OPERATION')];
const refused = { code: -32004, message: 'The task is finished', data: details };
const get03 = (state: string) =>
  rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task(state) });

export default defineRule({
  id: 'GUIDE-002',
  level: 'INFO',
  party: 'client',
  summary: 'A client does not send messages to a task that it has seen finished.',
  spec: {
    '0.2': 'Guide: Common mistakes, 6',
    '0.3': 'Guide: Common mistakes, 6',
    '1.0': 'Guide: Common mistakes, 6',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { restarted: 'The client sends a message to task {task}, which it has seen as {state}' },
  why: 'A finished task is the record of what was asked and delivered, and stays as it is: the agent has to refuse the message, and the wish of the user is lost.',
  fix: 'Send the message without `taskId`, with the `contextId` of the task, and name the task in `referenceTaskIds`.',
  examples: {
    good: [
      [
        get('INPUT_REQUIRED'),
        rest({
          verb: 'POST',
          path: '/message:send',
          body: more,
          response: { task: v1.task('COMPLETED') },
        }),
      ],
      [
        get03('input-required'),
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('more', { taskId: 'task-1', contextId: 'ctx-1' }) },
          result: v03.task('completed'),
        }),
      ],
    ],
    skip: [
      [get('COMPLETED')],
      [
        get('COMPLETED'),
        rpc({
          method: 'SendMessage',
          params: {
            message: v1.message('more', { contextId: 'ctx-1', referenceTaskIds: ['task-1'] }),
          },
          result: { task: v1.task('COMPLETED', { id: 'task-2' }) },
        }),
      ],
    ],
    bad: [
      {
        example: [get('COMPLETED'), rpc({ method: 'SendMessage', params: more, error: refused })],
        messages: ['restarted'],
      },
      {
        example: [
          get('FAILED'),
          rest({
            verb: 'POST',
            path: '/message:send',
            body: more,
            status: 400,
            response: restError(400, 'FAILED_PRECONDITION', 'The task is finished', details),
          }),
        ],
        messages: ['restarted'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const seen = taskBefore(exchange, conversation, sentMessage(exchange)?.message.taskId);
    return seen !== undefined && isOwnTask(seen, exchange);
  },
  check: (exchange, { conversation, report }) => {
    const sent = sentMessage(exchange);
    const task = sent?.message.taskId;
    const state = taskBefore(exchange, conversation, task)?.state;
    if (!isTerminal(state)) return;
    report('restarted', {
      data: { task, state },
      at: { side: 'request', pointer: `${sent?.pointer ?? ''}/taskId` },
      expected: 'a new task in the same context',
      actual: task,
    });
  },
});
