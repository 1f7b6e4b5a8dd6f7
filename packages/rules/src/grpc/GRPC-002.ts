import { versionOf } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcError } from '@plugfest/verifier/examples';
import { elsewhere, faultless03, faultless10, v03 } from './calls.ts';

/** The text of 0.3 lists it for gRPC (section 3.5.6), the proto of that version has no such method. */
const onlyInText: ReadonlySet<string> = new Set(['ListTask', 'ListTasks']);

export default defineRule({
  id: 'GRPC-002',
  level: 'MUST',
  party: 'client',
  summary: 'Calls of 0.2 and 0.3 go to the methods of a2a.v1.A2AService.',
  spec: { '0.2': 'a2a.proto', '0.3': '3.2.2' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: {
    service: 'The call goes to the service {found}',
    method: 'The service has no method {found}',
    announced: 'The metadata announce {found}, but the service is that of 0.3',
  },
  why: 'gRPC finds the method by the path alone: under another one the server answers UNIMPLEMENTED. Listing tasks is in the text of 0.3 and not in its proto, so it gives a warning.',
  fix: 'Generate the client from the a2a.proto of the version: a2a.v1 up to 0.3, lf.a2a.v1 from 1.0 on.',
  examples: {
    good: [faultless03.get, faultless03.send],
    skip: [faultless10.get, elsewhere],
    bad: [
      {
        example: [
          grpc({
            version: '0.3',
            method: '/A2AService/GetTask',
            metadata: { 'a2a-version': '0.3' },
            request: { name: 'tasks/task-1' },
            response: v03.task,
          }),
        ],
        messages: ['service'],
      },
      {
        example: [grpcError({ version: '0.3', method: 'SubscribeToTask', status: 'UNIMPLEMENTED' })],
        messages: ['method'],
      },
      {
        example: [grpcError({ version: '0.3', method: 'ListTask', status: 'UNIMPLEMENTED' })],
        messages: ['method'],
        outcomes: ['warn'],
      },
      {
        example: [
          grpc({
            version: '0.3',
            method: 'GetTask',
            metadata: { 'a2a-version': '1.0' },
            request: { name: 'tasks/task-1' },
            response: v03.task,
          }),
        ],
        messages: ['announced'],
      },
    ],
  },
  when: () => true,
  check: ({ operation, request }, { report }) => {
    const [, service = '', method = ''] = request.path.split('/');
    const isService = service === 'a2a.v1.A2AService';
    if (versionOf(request.a2aVersion) === '1.0')
      report('announced', {
        data: { found: request.a2aVersion },
        at: { side: 'request', header: 'a2a-version' },
        expected: 'the service lf.a2a.v1.A2AService',
        actual: request.path,
      });
    else if (operation === undefined)
      report(isService ? 'method' : 'service', {
        ...(isService && onlyInText.has(method) ? { outcome: 'warn' as const } : {}),
        data: { found: isService ? method : service },
        at: { side: 'request' },
        expected: isService ? 'a method of the proto' : 'a2a.v1.A2AService',
        actual: request.path,
      });
  },
});
