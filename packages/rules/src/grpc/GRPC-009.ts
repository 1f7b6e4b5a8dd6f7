import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Operation } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpcError, v1 } from '@plugfest/verifier/examples';
import { errorInfos } from '../err/error-info.ts';
import { elsewhere, faultless03, faultless10 } from './calls.ts';

const get = {
  method: 'GetTask',
  request: { id: 'task-9' },
  status: 'NOT_FOUND',
  message: 'No such task',
} as const;

/** Operations that name a task, or a push configuration of one. */
const ofTask: ReadonlySet<Operation | undefined> = new Set<Operation | undefined>([
  ...(['GetTask', 'CancelTask', 'SubscribeToTask', 'CreateTaskPushNotificationConfig'] as const),
  ...(['GetTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs'] as const),
]);

/**
 * Statuses that only errors of A2A have (section 5.4). Others come from gateways, from the gRPC library, or stand for
 * faults of the request that A2A leaves to gRPC.
 */
function isA2aError({ operation, response }: DecodedExchange): boolean {
  const name = response?.grpcStatus?.name;
  return name === 'FAILED_PRECONDITION' || (name === 'NOT_FOUND' && ofTask.has(operation));
}

export default defineRule({
  id: 'GRPC-009',
  level: 'MUST',
  party: 'server',
  summary: 'The status of an A2A error has an ErrorInfo with reason and domain in grpc-status-details-bin.',
  spec: { '1.0': '10.6' },
  bindings: ['GRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    details: 'The status {status} has no details',
    unreadable: 'The details of the status cannot be read: {problem}',
    info: 'The details of the status have no google.rpc.ErrorInfo',
    member: 'The ErrorInfo has no {member}',
  },
  why: 'Six errors of A2A share FAILED_PRECONDITION: without the reason the client does not know which one it got, and cannot act on it.',
  fix: 'Put a google.rpc.Status with a google.rpc.ErrorInfo (reason of section 5.4, domain "a2a-protocol.org") into the trailer grpc-status-details-bin.',
  examples: {
    good: [
      [grpcError({ ...get, details: [v1.errorInfo('TASK_NOT_FOUND')] })],
      // Others may add an ErrorInfo of their own.
      [
        grpcError({
          ...get,
          details: [v1.errorInfo('TASK_NOT_FOUND'), v1.errorInfo('QUOTA', { domain: undefined })],
        }),
      ],
    ],
    skip: [
      faultless10.get,
      faultless03.get,
      elsewhere,
      [grpcError({ ...get, status: 'UNAVAILABLE', message: 'Try later' })],
    ],
    bad: [
      { example: [grpcError(get)], messages: ['details'] },
      {
        example: [
          grpcError({
            method: 'CancelTask',
            request: { id: 'task-1' },
            status: 'FAILED_PRECONDITION',
            trailers: { 'grpc-status': '9', 'grpc-status-details-bin': '////' },
          }),
        ],
        messages: ['unreadable'],
      },
      {
        example: [
          grpcError({ ...get, details: [{ '@type': 'type.googleapis.com/google.rpc.Help', links: [] }] }),
        ],
        messages: ['info'],
      },
      {
        example: [grpcError({ ...get, details: [v1.errorInfo('TASK_NOT_FOUND', { domain: undefined })] })],
        messages: ['member'],
      },
      {
        example: [grpcError({ ...get, details: [v1.errorInfo('')] })],
        messages: ['member'],
      },
    ],
  },
  when: isA2aError,
  check: ({ response }, { report }) => {
    const { name, detailsProblem, details = [] } = response?.grpcStatus ?? {};
    const at = { side: 'response', pointer: '/details' } as const;
    const infos = errorInfos([...details]);
    const [info] = infos;
    if (detailsProblem !== undefined) report('unreadable', { data: { problem: detailsProblem }, at });
    else if (details.length === 0)
      report('details', { data: { status: name }, at, expected: 'an ErrorInfo' });
    else if (info === undefined)
      report('info', {
        at,
        expected: 'a google.rpc.ErrorInfo',
        actual: details.map((each) => (isJsonObject(each) ? (each['@type'] ?? null) : null)),
      });
    else
      for (const member of ['reason', 'domain'])
        if (infos.every(({ value }) => typeof value[member] !== 'string' || value[member] === ''))
          report('member', { data: { member }, at: { side: 'response', pointer: `/details/${info.index}` } });
  },
});
