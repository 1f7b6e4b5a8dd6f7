import type { DecodedExchange, MessageView } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { contentOf, holdsOutput } from '../output-in-message.ts';
import { placeOf, returnedTasks, type TaskPayload } from '../sent-message.ts';

type Task = ReturnType<typeof v1.task>;
const get = (result: Task) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result });
const saying = (message: ReturnType<typeof v1.reply>) =>
  v1.task('COMPLETED', { artifacts: undefined, status: v1.status('COMPLETED', { message }) });

export default defineRule({
  id: 'LIFE-008',
  level: 'SHOULD',
  party: 'server',
  summary: 'A completed task that made something keeps it in an artifact.',
  spec: { '0.2': '6.1', '0.3': '6.1', '1.0': '3.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetTask'],
  messages: {
    output: 'The completed task has its output in the status message, and no artifact',
    remark: 'The completed task has a short status message, and no artifact',
  },
  why: 'Who asks for the task later looks for its artifacts; a status message is a word on the way, and need not be kept. Whether a short text is the result is not to be seen on the wire, so it is for information.',
  fix: 'Add the output to the task as an artifact before it is completed.',
  examples: {
    good: [
      [get(v1.task('COMPLETED'))],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('COMPLETED') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('completed') })],
    ],
    skip: [
      [get(v1.task('WORKING'))],
      // Nothing says that it made something.
      [get(v1.task('COMPLETED', { artifacts: undefined }))],
      [get(saying(v1.reply('', { taskId: 'task-1', parts: [] })))],
    ],
    bad: [
      {
        example: [get(saying(v1.reply('done', { taskId: 'task-1', parts: [{ data: { answer: 4 } }] })))],
        messages: ['output'],
      },
      {
        example: [get(saying(v1.reply('It is 4', { taskId: 'task-1' })))],
        messages: ['remark'],
        outcomes: ['info'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            result: v03.task('completed', {
              artifacts: undefined,
              status: v03.status('completed', {
                message: v03.reply('It is a long story. '.repeat(30), { taskId: 'task-1' }),
              }),
            }),
          }),
        ],
        messages: ['output'],
      },
    ],
  },
  when: (exchange) => completed(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { payload, message } of completed(exchange)) {
      if (message === undefined) continue;
      const isOutput = holdsOutput(message);
      report(isOutput ? 'output' : 'remark', {
        ...(isOutput ? {} : { outcome: 'info' as const }),
        at: placeOf(payload, '/artifacts'),
        expected: 'an artifact',
        actual: contentOf(message),
      });
    }
  },
});

interface Completed {
  readonly payload: TaskPayload;
  /** Undefined where the task has artifacts. */
  readonly message: MessageView | undefined;
}

/** Completed tasks as Get Task shows them, with the agent's last word where there is no artifact. Sends are for SEND-023. */
function completed(exchange: DecodedExchange): readonly Completed[] {
  if (exchange.operation !== 'GetTask') return [];
  return returnedTasks(exchange).flatMap((payload): readonly Completed[] => {
    const { status, artifacts } = payload.task;
    if (status.state !== 'TASK_STATE_COMPLETED') return [];
    if ((artifacts?.length ?? 0) > 0) return [{ payload, message: undefined }];
    const { message } = status;
    return message?.role === 'ROLE_AGENT' && message.parts.length > 0 ? [{ payload, message }] : [];
  });
}
