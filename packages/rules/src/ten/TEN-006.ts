import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Operation } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule, requestTenant } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';

const ofOneTask: ReadonlySet<Operation | undefined> = new Set<Operation | undefined>([
  'GetTask',
  'CancelTask',
  'SubscribeToTask',
]);

interface Foreign {
  readonly task: string;
  readonly own: string;
  readonly asked: string;
}

/** The task of another tenant that a request asks for. */
function foreignTask(exchange: DecodedExchange, conversation: Conversation): Foreign | undefined {
  const { operation, request, captured } = exchange;
  const asked = requestTenant(exchange);
  if (!ofOneTask.has(operation) || asked === undefined || !isJsonObject(request.params)) return undefined;
  const { id } = request.params;
  if (typeof id !== 'string') return undefined;
  const own = conversation.tenantOf(captured.edge.callee, id);
  return own === undefined || own === asked ? undefined : { task: id, own, asked };
}

const send = rpc({
  method: 'SendMessage',
  params: {
    tenant: 'acme',
    message: v1.message('hello'),
    configuration: { returnImmediately: true },
  },
  result: { task: v1.task('WORKING') },
});
const get = (tenant: string) =>
  ({ method: 'GetTask', purpose: 'probe', params: { id: 'task-1', tenant } }) as const;
const unknown = {
  code: -32001,
  message: 'Task not found',
  data: [v1.errorInfo('TASK_NOT_FOUND')],
} as const;

export default defineRule({
  id: 'TEN-006',
  level: 'MUST',
  party: 'server',
  summary: 'Tasks of one tenant cannot be reached under another one.',
  spec: { '1.0': '13.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { reached: 'The task {task} of the tenant {own} is served under the tenant {asked}' },
  why: 'Customers see the work of other customers. (What a tenant stands for is left to the agent, and one caller may be allowed to see both, so this is a warning.)',
  fix: 'Look tasks up by tenant and id together, and answer TaskNotFoundError where the tenant has no such task.',
  examples: {
    good: [
      [send, rpc({ ...get('globex'), error: unknown })],
      [
        send,
        rest({
          verb: 'GET',
          path: '/tasks/task-1?tenant=globex',
          purpose: 'probe',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'Task not found', [v1.errorInfo('TASK_NOT_FOUND')]),
        }),
      ],
    ],
    skip: [
      [send, rpc({ ...get('acme'), result: v1.task('WORKING') })],
      [rpc({ ...get('globex'), error: unknown })],
    ],
    bad: [
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: {
              tenant: 'acme',
              message: v1.message('hello'),
              configuration: { returnImmediately: true },
            },
            response: { task: v1.task('WORKING') },
          }),
          rest({
            verb: 'GET',
            path: '/tasks/task-1?tenant=globex',
            purpose: 'probe',
            response: v1.task('WORKING'),
          }),
        ],
        messages: ['reached'],
        outcomes: ['warn'],
      },
      {
        example: [send, rpc({ ...get('globex'), result: v1.task('WORKING') })],
        messages: ['reached'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    foreignTask(exchange, conversation) !== undefined &&
    (wasServed(exchange) || refusalOf(exchange) !== undefined),
  check: (exchange, { conversation, report }) => {
    const found = foreignTask(exchange, conversation);
    if (found === undefined || !wasServed(exchange)) return;
    report('reached', {
      data: { ...found },
      at: { side: 'response' },
      outcome: 'warn',
      expected: 'TaskNotFoundError',
    });
  },
});
