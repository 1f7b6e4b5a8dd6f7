import { type DecodedExchange, isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, refusesInput, wasServed } from '../refusal.ts';
import { sentMessage } from '../sent-message.ts';
import { taskBefore } from '../task-before.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const more = { message: v1.message('more', { taskId: 'task-1' }) };
const send = { method: 'SendMessage', params: more } as const;
const details = [v1.errorInfo('UNSUPPORTED_OPERATION')];
const unsupported = { code: -32004, message: 'The task is finished', data: details };

export default defineRule({
  id: 'SEND-011',
  level: 'MUST',
  party: 'server',
  summary: 'A message to a finished task is refused with UnsupportedOperationError.',
  spec: { '1.0': '3.1.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    served: 'The agent accepts a message to task {task}, which was {state} before',
    other: 'The agent refuses a message to the {state} task {task} with {found}',
    claimed: 'The agent says that task {task} is in a terminal state, and refuses the message with {found}',
  },
  why: 'By this error a client learns to start a new task in the same context; by another one it believes that its message is wrong, or the task lost. A task may have been forgotten since, so TaskNotFoundError is a warning.',
  fix: 'Look at the state before accepting a message, and answer UnsupportedOperationError (-32004) for a terminal task.',
  examples: {
    good: [
      [get('COMPLETED'), rpc({ ...send, error: unsupported })],
      [
        get('CANCELED'),
        rest({
          verb: 'POST',
          path: '/message:send',
          body: more,
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'The task is finished', details),
        }),
      ],
    ],
    skip: [
      [get('INPUT_REQUIRED'), rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
    ],
    bad: [
      {
        example: [get('COMPLETED'), rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
        messages: ['served'],
      },
      {
        example: [
          get('FAILED'),
          rpcStream({
            method: 'SendStreamingMessage',
            params: more,
            events: [{ task: v1.task('WORKING', { id: 'task-2' }) }],
          }),
        ],
        messages: ['served'],
      },
      {
        example: [get('COMPLETED'), rpc({ ...send, error: { code: -32602, message: 'Invalid parameters' } })],
        messages: ['other'],
        outcomes: ['fail'],
      },
      {
        example: [
          get('COMPLETED'),
          rpc({
            ...send,
            error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
          }),
        ],
        messages: ['other'],
        outcomes: ['warn'],
      },
      {
        example: [
          rpc({ ...send, error: { code: -32602, message: 'Task task-1 is in terminal state: completed' } }),
        ],
        messages: ['claimed'],
      },
      {
        example: [
          get('COMPLETED'),
          rpc({
            ...send,
            error: {
              code: -32006,
              message: 'The agent failed',
              data: [v1.errorInfo('INVALID_AGENT_RESPONSE')],
            },
          }),
        ],
        messages: ['other'],
      },
      {
        example: [
          rpc({
            ...send,
            error: {
              code: -32002,
              message: 'Task task-1 is in terminal state: completed',
              data: [v1.errorInfo('TASK_NOT_CANCELABLE')],
            },
          }),
        ],
        messages: ['claimed'],
      },
      {
        example: [
          get('COMPLETED'),
          rest({
            verb: 'POST',
            path: '/message:send',
            body: more,
            status: 400,
            response: restError(400, 'INVALID_ARGUMENT', 'The task is in a terminal state', [
              v1.errorInfo('INVALID_PARAMS'),
            ]),
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const { taskId, contextId } = sentMessage(exchange)?.message ?? {};
    if (!taskId) return false;
    const refusal = refusalOf(exchange);
    const before = taskBefore(exchange, conversation, taskId);
    // A message that names another context is wrong anyway, and may be refused for that (section 3.4.1, CTX-005).
    if (refusal !== undefined && contextId && before?.contextId && contextId !== before.contextId)
      return false;
    const known = isTerminal(before?.state);
    if (refusal === undefined) return known && wasServed(exchange);
    // A refusal of the input has no name of its own over HTTP and gRPC, and may be about anything unless it says.
    if (!concernsOperation(refusal)) return refusesInput(exchange) && claimsTerminal(exchange);
    return known || claimsTerminal(exchange);
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    const found = refusal?.name;
    if (found === 'UnsupportedOperationError') return;
    const task = sentMessage(exchange)?.message.taskId;
    const state = taskBefore(exchange, conversation, task)?.state;
    report(refusal === undefined ? 'served' : isTerminal(state) ? 'other' : 'claimed', {
      ...(found === 'TaskNotFoundError' ? { outcome: 'warn' as const } : {}),
      data: { task, state, found: found ?? 'a refusal of the input' },
      at: { side: 'response', pointer: refusal?.pointer ?? '' },
      expected: 'UnsupportedOperationError',
      actual: found ?? (refusal === undefined ? 'a result' : 'a refusal of the input'),
    });
  },
});

/** The error's own words say why the message was refused. */
const claimsTerminal = (exchange: DecodedExchange): boolean =>
  /\bterminal state\b/i.test(refusalOf(exchange)?.message?.slice(0, 1000) ?? '');
