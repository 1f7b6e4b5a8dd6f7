import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { sentMessage } from '../sent-message.ts';
import { taskBefore } from '../task-before.ts';

const get = (state: string) =>
  rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task(state) });
const send = {
  version: '0.3',
  method: 'message/send',
  params: { message: v03.message('more', { taskId: 'task-1' }) },
} as const;

export default defineRule({
  id: 'SEND-012',
  level: 'MUST',
  party: 'server',
  summary: 'A message to a finished task of 0.3 is refused, with whatever error.',
  spec: { '0.3': '7.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { served: 'The agent accepts a message to task {task}, which was {state} before' },
  why: 'A finished task that starts again loses its result, and clients that wait for it have stopped looking.',
  fix: 'Refuse messages to terminal tasks; the client starts a new task in the same context.',
  examples: {
    good: [[get('completed'), rpc({ ...send, error: { code: -32602, message: 'The task is finished' } })]],
    skip: [
      [get('input-required'), rpc({ ...send, result: v03.task('completed') })],
      [rpc({ ...send, result: v03.task('completed') })],
    ],
    bad: [
      { example: [get('completed'), rpc({ ...send, result: v03.task('completed') })], messages: ['served'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const taskId = sentMessage(exchange)?.message.taskId;
    if (!taskId || !isTerminal(taskBefore(exchange, conversation, taskId)?.state)) return false;
    return refusalOf(exchange) !== undefined || wasServed(exchange);
  },
  check: (exchange, { conversation, report }) => {
    if (refusalOf(exchange) !== undefined) return;
    const task = sentMessage(exchange)?.message.taskId;
    report('served', {
      data: { task, state: taskBefore(exchange, conversation, task)?.state },
      at: { side: 'response', pointer: '' },
      expected: 'an error',
      actual: 'a result',
    });
  },
});
