import { isJsonObject } from '@plugfest/model';
import type { Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

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
  when: (exchange) => askedId(exchange) !== undefined && returned(exchange) !== undefined,
  check: (exchange, { report }) => {
    const asked = askedId(exchange);
    const payload = returned(exchange);
    if (asked === undefined || payload === undefined || payload.task.id === asked) return;
    const found = payload.task.id;
    report('other', {
      data: { asked, found: found ?? 'without id' },
      at: { side: 'response', pointer: `${payload.pointer}/id` },
      expected: asked,
      actual: found,
    });
  },
});

function askedId({ operation, request }: Subjects['exchange']): string | undefined {
  if (operation !== 'GetTask' || !isJsonObject(request.params)) return undefined;
  const { id } = request.params;
  return typeof id === 'string' ? id : undefined;
}

const returned = ({ payloads }: Subjects['exchange']) =>
  payloads.filter((payload) => payload.kind === 'task').find(({ side }) => side === 'response');
