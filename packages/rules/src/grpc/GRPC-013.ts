import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcError, v1 } from '@plugfest/verifier/examples';
import { elsewhere, faultless03, faultless10 } from './calls.ts';

const send = {
  method: 'SendMessage',
  request: { message: v1.message('hello', { messageId: undefined }) },
  purpose: 'probe',
} as const;

const isAbsent = (value: Json | undefined): boolean => value === undefined || value === null || value === '';

/** The first REQUIRED field that a request lacks (section 5.7); requests without any are left out. */
function lacking({ operation, request }: DecodedExchange): string | undefined {
  const { state, value } = request.json;
  if (state !== 'ok' || !isJsonObject(value)) return undefined;
  const first = (names: readonly string[]): string | undefined => names.find((name) => isAbsent(value[name]));
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage': {
      const { message } = value;
      if (!isJsonObject(message)) return 'message';
      const name = ['messageId', 'role', 'parts'].find((each) => isAbsent(message[each]));
      return name === undefined ? undefined : `message.${name}`;
    }
    case 'GetTask':
    case 'CancelTask':
    case 'SubscribeToTask':
      return first(['id']);
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      return first(['taskId', 'id']);
    case 'CreateTaskPushNotificationConfig':
      return first(['url']);
    default:
      return undefined;
  }
}

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
    ],
    skip: [faultless10.get, faultless03.get, elsewhere],
    bad: [
      { example: [grpc({ ...send, response: { task: v1.task('COMPLETED') } })], messages: ['served'] },
      { example: [grpcError({ ...send, status: 'INTERNAL', message: 'It broke' })], messages: ['status'] },
    ],
  },
  when: (exchange) => lacking(exchange) !== undefined && exchange.response?.grpcStatus !== undefined,
  check: (exchange, { report }) => {
    const field = lacking(exchange);
    const { code, name, text } = exchange.response?.grpcStatus ?? {};
    if (field === undefined || others.has(name)) return;
    // No task has an empty id: the agent looked.
    if (name === 'NOT_FOUND' && !field.startsWith('message')) return;
    report(code === 0 ? 'served' : 'status', {
      data: { field, status: name ?? text },
      at: { side: 'response' },
      expected: 'INVALID_ARGUMENT',
      actual: name ?? text,
    });
  },
});
