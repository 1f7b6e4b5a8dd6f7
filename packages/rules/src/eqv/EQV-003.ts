import type { Conversation, SpokenExchange } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpcError, rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf } from '../refusal.ts';

const byRpc = {
  method: 'GetTask',
  params: { id: 'no-such-task' },
  purpose: 'probe',
  error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
} as const;
const byRest = (reason: string, status = 404) =>
  rest({
    verb: 'GET',
    path: '/tasks/another-one',
    purpose: 'probe',
    status,
    response: restError(status, status === 404 ? 'NOT_FOUND' : 'FAILED_PRECONDITION', 'No', [
      v1.errorInfo(reason),
    ]),
  });
const invalid = { code: -32602, message: 'This is no id' };
const byGrpc = (reason: string, status: string) =>
  grpcError({
    method: 'GetTask',
    request: { id: 'a-third-one' },
    purpose: 'probe',
    status,
    message: 'No',
    details: [v1.errorInfo(reason)],
  });
const finished = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') });
const cancel = rpc({
  method: 'CancelTask',
  params: { id: 'task-1' },
  error: { code: -32002, message: 'Too late', data: [v1.errorInfo('TASK_NOT_CANCELABLE')] },
});
const restCancel = (reason: string) =>
  rest({
    verb: 'POST',
    path: '/tasks/task-1:cancel',
    body: {},
    status: 400,
    response: restError(400, 'FAILED_PRECONDITION', 'No', [v1.errorInfo(reason)]),
  });

export default defineRule({
  id: 'EQV-003',
  level: 'MUST',
  party: 'server',
  summary: 'A fault gets the same A2A error on every binding.',
  spec: { '1.0': '5.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    other: 'The fault is refused with {found} over {binding}, and was refused with {known} over {other}',
  },
  why: 'Clients decide by the error what to do next, such as to ask again or to give up; behind another interface the same client does something else. An id of a wrong form may be found invalid before it is looked up, so InvalidParamsError against TaskNotFoundError is a warning.',
  fix: 'Raise errors in one place behind the bindings, and map each of them by the table of A2A errors.',
  examples: {
    good: [
      [rpc(byRpc), byRest('TASK_NOT_FOUND')],
      [rpc(byRpc), byGrpc('TASK_NOT_FOUND', 'NOT_FOUND')],
      [finished, cancel, restCancel('TASK_NOT_CANCELABLE')],
    ],
    skip: [
      [rpc(byRpc), rpc(byRpc)],
      // Nothing says what is wrong with the request.
      [
        rpc({ method: 'GetTask', params: byRpc.params, error: byRpc.error }),
        rest({
          verb: 'GET',
          path: '/tasks/another-one',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No'),
        }),
      ],
      // A broken agent, a missing method and a look at the version judge no request.
      ...[
        { code: -32603, message: 'Internal error' },
        { code: -32601, message: 'Method not found' },
        { code: -32009, message: 'No', data: [v1.errorInfo('VERSION_NOT_SUPPORTED')] },
      ].flatMap((error) => [
        [rpc({ ...byRpc, error }), byRest('TASK_NOT_FOUND')],
        [byRest('TASK_NOT_FOUND'), rpc({ ...byRpc, error })],
      ]),
      [
        rpc(byRpc),
        rest({ verb: 'GET', path: '/tasks/another-one', purpose: 'probe', response: v1.task('WORKING') }),
      ],
    ],
    bad: [
      { example: [rpc(byRpc), byRest('UNSUPPORTED_OPERATION', 400)], messages: ['other'] },
      {
        example: [rpc(byRpc), byGrpc('UNSUPPORTED_OPERATION', 'FAILED_PRECONDITION')],
        messages: ['other'],
      },
      { example: [finished, cancel, restCancel('UNSUPPORTED_OPERATION')], messages: ['other'] },
      {
        example: [rpc({ ...byRpc, error: invalid }), byRest('TASK_NOT_FOUND')],
        messages: ['other'],
        outcomes: ['warn'],
      },
      {
        example: [byRest('TASK_NOT_FOUND'), rpc({ ...byRpc, error: invalid })],
        messages: ['other'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) => refusedElsewhere(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const elsewhere = refusedElsewhere(exchange, conversation);
    if (elsewhere === undefined) return;
    const { found, pointer, known, other } = elsewhere;
    if (found === known) return;
    const isForm = [found, known].sort().join() === 'InvalidParamsError,TaskNotFoundError';
    report('other', {
      ...(isForm ? { outcome: 'warn' as const } : {}),
      data: { found, binding: exchange.dialect.binding, known, other },
      at: { side: 'response', pointer },
      expected: known,
      actual: found,
    });
  },
});

/** Errors that judge the request; faults of the agent itself are no answer to it. */
const isAnswer = (name: string): boolean => name !== 'InternalError' && name !== 'MethodNotFoundError';

interface RefusedTwice {
  readonly found: string;
  readonly pointer: string;
  readonly known: string;
  readonly other: string;
}

/** A refusal, and how another binding refused the same fault before. */
function refusedElsewhere(exchange: SpokenExchange, conversation: Conversation): RefusedTwice | undefined {
  const refusal = refusalOf(exchange);
  if (refusal === undefined || !concernsOperation(refusal) || !isAnswer(refusal.name)) return undefined;
  const fault = conversation.faultOf(exchange);
  if (fault === undefined) return undefined;
  for (const [other, { name: known }] of conversation.refusalsOf(exchange.captured.edge.callee, fault))
    if (
      other !== exchange.dialect.binding &&
      isAnswer(known) &&
      concernsOperation({ ...refusal, name: known })
    )
      return { found: refusal.name, pointer: refusal.pointer, known, other };
  return undefined;
}
