import type { Operation } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, grpcError, v1 } from '@plugfest/verifier/examples';
import { declaredInterfaces } from '../declared-interfaces.ts';
import { elsewhere, faultless03, faultless10 } from './calls.ts';

/** Operations that no capability makes optional (section 3.1). */
const core: ReadonlySet<Operation> = new Set<Operation>([
  'SendMessage',
  'GetTask',
  'ListTasks',
  'CancelTask',
]);

export default defineRule({
  id: 'GRPC-005',
  level: 'MUST',
  party: 'server',
  summary: 'The service has all eleven methods: none of them is UNIMPLEMENTED.',
  spec: { '1.0': '10.1' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: { absent: 'The agent has no method {method}' },
  why: 'UNIMPLEMENTED without an ErrorInfo is what a server says of methods that it never registered. Where a capability decides about the operation the method may have been left out on purpose, so it is a warning: the answer that is due is UnsupportedOperationError.',
  fix: 'Register the whole service that is generated from the proto, and refuse optional operations with FAILED_PRECONDITION and the ErrorInfo of their error.',
  examples: {
    good: [faultless10.get, faultless10.send],
    skip: [
      faultless03.get,
      elsewhere,
      [
        getCard(v1.card()),
        grpcError({ method: 'GetTask', request: { id: 'task-1' }, status: 'UNIMPLEMENTED' }),
      ],
      [
        getCard(
          v1.card({
            supportedInterfaces: [
              { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '0.3' },
            ],
          }),
        ),
        grpcError({ method: 'GetTask', request: { id: 'task-1' }, status: 'UNIMPLEMENTED' }),
      ],
    ],
    bad: [
      {
        example: [
          grpcError({
            method: 'ListTasks',
            request: {},
            status: 'UNIMPLEMENTED',
            message: 'Method not found',
          }),
        ],
        messages: ['absent'],
      },
      {
        example: [
          grpcError({
            method: 'SendStreamingMessage',
            request: { message: v1.message('hello') },
            status: 'UNIMPLEMENTED',
          }),
        ],
        messages: ['absent'],
        outcomes: ['warn'],
      },
    ],
  },
  when: ({ operation, response, captured }, { conversation }) => {
    if (operation === undefined || response?.grpcStatus === undefined) return false;
    // Whoever declares other bindings only promises no methods.
    const declared = declaredInterfaces(conversation, captured.edge.callee);
    const offers = declared.some(({ binding, version }) => binding === 'GRPC' && version === '1.0');
    return declared.length === 0 || offers;
  },
  check: ({ operation, response, request }, { report }) => {
    // The 1.0.0 text gave UNIMPLEMENTED to three errors of A2A, which an ErrorInfo names.
    if (
      operation === undefined ||
      response?.grpcStatus?.name !== 'UNIMPLEMENTED' ||
      response.error?.errorInfo
    )
      return;
    report('absent', {
      ...(core.has(operation) ? {} : { outcome: 'warn' as const }),
      data: { method: request.path.slice(request.path.lastIndexOf('/') + 1) },
      at: { side: 'response' },
      actual: 'UNIMPLEMENTED',
    });
  },
});
