import { defineRule } from '@plugfest/verifier';
import { grpc, grpcError, v1 } from '@plugfest/verifier/examples';
import { malformedInput } from '../err/malformed-input.ts';
import { elsewhere, faultless03, faultless10 } from './calls.ts';
import { lackingField } from './lacking-field.ts';

const send = {
  method: 'SendMessage',
  request: { message: v1.message('hello', { messageId: undefined }) },
  purpose: 'probe',
} as const;

/** Checks that come before, and failures that have nothing to do with the request. */
const others: ReadonlySet<string | undefined> = new Set([
  ...['UNAUTHENTICATED', 'PERMISSION_DENIED', 'UNIMPLEMENTED', 'UNAVAILABLE', 'RESOURCE_EXHAUSTED'],
  ...['CANCELLED', 'DEADLINE_EXCEEDED', 'FAILED_PRECONDITION', 'INVALID_ARGUMENT'],
]);

export default defineRule({
  id: 'GRPC-013',
  level: 'SHOULD',
  party: 'server',
  summary: 'A request that lacks a required field is refused with INVALID_ARGUMENT.',
  spec: { '1.0': '5.7, 3.3.2' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: {
    served: 'The request has no {field}, and the agent serves it',
    status: 'The request has no {field}, and the agent answers {status}',
  },
  why: 'protobuf does not know required fields: what the agent does not check itself comes to its code as an empty text, and the caller never learns of its mistake.',
  fix: 'Check required fields before the work begins and answer INVALID_ARGUMENT with a google.rpc.BadRequest that names them.',
  examples: {
    good: [
      [
        grpcError({
          ...send,
          status: 'INVALID_ARGUMENT',
          message: 'messageId is required',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: 'message.messageId', description: 'It is required' }],
            },
          ],
        }),
      ],
      // No task has an empty id: the agent looked.
      [
        grpcError({
          method: 'GetTask',
          purpose: 'probe',
          request: { id: '' },
          status: 'NOT_FOUND',
          message: 'No such task',
          details: [v1.errorInfo('TASK_NOT_FOUND')],
        }),
      ],
    ],
    skip: [faultless10.get, faultless03.get, elsewhere],
    bad: [
      {
        example: [
          grpc({ method: 'GetTask', purpose: 'probe', request: { id: '' }, response: v1.task('COMPLETED') }),
        ],
        messages: ['served'],
      },
      { example: [grpcError({ ...send, status: 'INTERNAL', message: 'It broke' })], messages: ['status'] },
      { example: [grpcError({ ...send, status: 'NOT_FOUND', message: 'No message' })], messages: ['status'] },
      {
        example: [
          grpc({
            method: 'SendMessage',
            purpose: 'probe',
            request: {},
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['served'],
      },
    ],
  },
  when: (exchange) => lackingField(exchange) !== undefined && exchange.response?.grpcStatus !== undefined,
  check: (exchange, { report }) => {
    const field = lackingField(exchange);
    const { code, name, text } = exchange.response?.grpcStatus ?? {};
    if (field === undefined || others.has(name)) return;
    if (name === 'NOT_FOUND' && !field.startsWith('message')) return;
    // That a message without its members is served is SEND-021, and that the agent fails by it ERR-020.
    if (code === 0 && field.startsWith('message.')) return;
    if ((name === 'INTERNAL' || name === 'UNKNOWN') && malformedInput(exchange) !== undefined) return;
    report(code === 0 ? 'served' : 'status', {
      data: { field, status: name ?? text },
      at: { side: 'response' },
      expected: 'INVALID_ARGUMENT',
      actual: name ?? text,
    });
  },
});
