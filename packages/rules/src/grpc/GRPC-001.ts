import { defineRule } from '@plugfest/verifier';
import { grpc, grpcError, v1 } from '@plugfest/verifier/examples';
import { elsewhere, faultless03, faultless10 } from './calls.ts';

const get = { request: { id: 'task-1' }, response: v1.task('WORKING') } as const;

export default defineRule({
  id: 'GRPC-001',
  level: 'MUST',
  party: 'client',
  summary: 'Calls of 1.0 go to the methods of lf.a2a.v1.A2AService.',
  spec: { '1.0': '10.1' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: {
    service: 'The call goes to the service {found}',
    method: 'The service has no method {found}',
  },
  why: 'gRPC finds the method by the path alone: under another one the server knows nothing and answers UNIMPLEMENTED.',
  fix: 'Generate the client from the a2a.proto of the version; its package is lf.a2a.v1.',
  examples: {
    good: [faultless10.get, faultless10.stream],
    skip: [faultless03.get, elsewhere],
    bad: [
      { example: [grpc({ ...get, method: '/google.a2a.A2AService/GetTask' })], messages: ['service'] },
      {
        example: [
          grpcError({ method: 'TaskSubscription', request: { id: 'task-1' }, status: 'UNIMPLEMENTED' }),
        ],
        messages: ['method'],
      },
    ],
  },
  when: () => true,
  check: ({ operation, request }, { report }) => {
    if (operation !== undefined) return;
    const [, service = '', method = ''] = request.path.split('/');
    const isService = service === 'lf.a2a.v1.A2AService';
    report(isService ? 'method' : 'service', {
      data: { found: isService ? method : service },
      at: { side: 'request' },
      expected: isService ? 'one of its eleven methods' : 'lf.a2a.v1.A2AService',
      actual: request.path,
    });
  },
});
