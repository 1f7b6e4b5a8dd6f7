import { defineRule } from '@plugfest/verifier';
import { grpcError } from '@plugfest/verifier/examples';
import { elsewhere, faultless10 } from './calls.ts';
import { message, text, varint } from './wire-bytes.ts';

/** A google.rpc.Status with an ErrorInfo of TASK_NOT_FOUND, as the trailer has it. */
const details = (code: number): string =>
  Buffer.concat([
    varint(1, code),
    text(2, 'No such task'),
    message(
      3,
      text(1, 'type.googleapis.com/google.rpc.ErrorInfo'),
      message(2, text(1, 'TASK_NOT_FOUND'), text(2, 'a2a-protocol.org')),
    ),
  ]).toString('base64');

const failed = (code: number) =>
  grpcError({
    method: 'GetTask',
    request: { id: 'task-9' },
    status: 'NOT_FOUND',
    message: 'No such task',
    trailers: { 'grpc-status': '5', 'grpc-status-details-bin': details(code) },
  });

export default defineRule({
  id: 'GRPC-010',
  level: 'MUST',
  party: 'server',
  summary: 'The code of the google.rpc.Status in the details is that of the trailer grpc-status.',
  spec: { '1.0': '10.6' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: { differs: 'grpc-status is {status}, but the details say {found}' },
  why: 'Some clients read the one and some the other, so two of them see two errors; several libraries drop details that do not agree.',
  fix: 'Make both of one status, for example by the function of the gRPC library that turns a google.rpc.Status into trailers.',
  examples: {
    good: [[failed(5)]],
    skip: [faultless10.get, elsewhere],
    bad: [{ example: [failed(9)], messages: ['differs'] }],
  },
  when: ({ response }) => response?.grpcStatus?.inDetails !== undefined,
  check: ({ response }, { report }) => {
    const { code, inDetails } = response?.grpcStatus ?? {};
    if (inDetails !== undefined && inDetails.code !== code)
      report('differs', {
        data: { status: code, found: inDetails.code },
        at: { side: 'response', header: 'grpc-status-details-bin' },
        expected: String(code),
        actual: inDetails.code,
      });
  },
});
