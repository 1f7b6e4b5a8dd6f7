import { isJsonObject } from '@plugfest/model';
import type { Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { returnedTasks } from '../sent-message.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const get03 = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'TASK-001',
  level: 'MUST',
  party: 'server',
  summary: 'Get Task returns the task that was asked for.',
  spec: { '0.1': '7.3', '0.2': '7.3', '0.3': '7.3', '1.0': '3.1.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetTask'],
  messages: { other: 'Asked for task {asked}, the agent returns task {found}' },
  why: "The client reports the result of somebody else's work as its own.",
  fix: 'Look the task up by the id of the request and return it under this id.',
  examples: {
    good: [
      [rpc({ ...get, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [rpc({ ...get03, result: v03.task('working') })],
    ],
    skip: [[rpc({ ...get, error: { code: -32001, message: 'No such task' } })]],
    bad: [
      { example: [rpc({ ...get, result: v1.task('WORKING', { id: 'task-2' }) })], messages: ['other'] },
      {
        example: [
          rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING', { id: undefined }) }),
        ],
        messages: ['other'],
      },
      { example: [rpc({ ...get03, result: v03.task('working', { id: 'task-2' }) })], messages: ['other'] },
    ],
  },
  when: (exchange) => answerOf(exchange) !== undefined,
  check: (exchange, { report }) => {
    const answer = answerOf(exchange);
    if (answer === undefined) return;
    const { asked, payload } = answer;
    const found = payload.task.id;
    if (found === asked) return;
    report('other', {
      data: { asked, found: found ?? 'without id' },
      at: { side: 'response', pointer: `${payload.pointer}/id` },
      expected: asked,
      actual: found,
    });
  },
});

/** The id that was asked for, and the task that came. */
function answerOf(exchange: Subjects['exchange']) {
  const { operation, request } = exchange;
  if (operation !== 'GetTask' || !isJsonObject(request.params)) return undefined;
  const { id: asked } = request.params;
  const [payload] = returnedTasks(exchange);
  return typeof asked === 'string' && payload !== undefined ? { asked, payload } : undefined;
}
