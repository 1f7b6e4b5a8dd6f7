import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { answeredErrors } from './answered-errors.ts';
import { malformedInput } from './malformed-input.ts';

const noParts = { message: v1.message('hello', { parts: [] }) };
const internal = { code: -32603, message: 'Internal error' };
const send = { method: 'SendMessage', params: noParts, purpose: 'probe' } as const;
const post = { verb: 'POST', path: '/message:send', body: noParts, purpose: 'probe' } as const;

export default defineRule({
  id: 'ERR-020',
  level: 'MUST',
  party: 'server',
  summary: 'Malformed input is refused as such, and never makes the agent fail.',
  spec: { '1.0': '3.3.2, 13.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    fault: 'The agent answers a request with {defect} with {found}, a fault of its own',
  },
  why: 'Inputs that nobody checked run into the agent’s own code: the client is told to try again what can never work, and whoever looks for weaknesses has found one.',
  fix: 'Check every input against the data model before anything else sees it, and answer InvalidParamsError (-32602), HTTP 400 or INVALID_ARGUMENT.',
  examples: {
    good: [
      [rpc({ ...send, error: { code: -32602, message: 'The message has no parts' } })],
      [rest({ ...post, status: 400, response: restError(400, 'INVALID_ARGUMENT', 'No parts') })],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          error: internal,
        }),
      ],
      [rpc({ method: 'ListTasks', params: { pageSize: 100 }, error: internal })],
      [rpc({ method: 'ListTasks', params: { pageSize: 0 }, error: internal })],
      [rpc({ method: 'ListTasks', params: {}, error: internal })],
      [rpc({ method: 'GetExtendedAgentCard', params: {}, error: internal })],
      [rpc({ method: 'NoSuchMethod', params: {}, error: internal })],
    ],
    bad: [
      {
        example: [rpc({ ...send, error: { code: -32603, message: 'list index out of range' } })],
        messages: ['fault'],
      },
      {
        example: [rest({ ...post, status: 500, response: restError(500, 'INTERNAL', 'Internal error') })],
        messages: ['fault'],
      },
      ...(
        [
          ['SendMessage', {}],
          ['SendStreamingMessage', noParts],
          ['GetTask', { id: '' }],
          ['CancelTask', {}],
          ['SubscribeToTask', { id: '' }],
          ['ListTasks', { pageSize: -1 }],
          ['ListTasks', { pageSize: 101 }],
        ] as const
      ).map(([method, params]) => ({
        example: [rpc({ method, params, purpose: 'probe', error: internal })],
        messages: ['fault'] as const,
      })),
    ],
  },
  when: (exchange) => exchange.response !== undefined && malformedInput(exchange) !== undefined,
  check: (exchange, { report }) => {
    const defect = malformedInput(exchange);
    const { response } = exchange;
    const fault = answeredErrors(exchange).find(
      ({ error }) =>
        error.name === 'InternalError' || error.code === grpcInternal || error.code === grpcUnknown,
    );
    if (fault === undefined && response?.status !== 500) return;
    const found = fault === undefined ? 'HTTP 500' : `the error ${fault.error.code}`;
    report('fault', {
      data: { defect, found },
      at: fault?.at('') ?? { side: 'response' },
      expected: 'a validation error',
      actual: fault?.error.code ?? response?.status,
    });
  },
});

const grpcUnknown = 2;
const grpcInternal = 13;
