import { client, type Mutation, server } from '../mutation.ts';

const grpc = { level: 'wire' as const, bindings: ['GRPC'] as const };
const modern = { ...grpc, versions: ['1.0'] as const };

const mutations: readonly Mutation[] = [
  client(
    'GRPC-001',
    'a method is called that the service has not',
    (session) => {
      session.copy('get', 'again');
      session.set('again', 'grpc', {
        method: '/lf.a2a.v1.A2AService/FetchTask',
        metadata: session.get('get', 'grpc/metadata'),
        status: 'UNIMPLEMENTED',
      });
    },
    modern,
  ),
  client(
    'GRPC-002',
    'a method of 0.3 is called that the service has not',
    (session) => {
      session.copy('get', 'again');
      session.set('again', 'grpc', {
        method: '/a2a.v1.A2AService/SubscribeToTask',
        metadata: session.get('get', 'grpc/metadata'),
        status: 'UNIMPLEMENTED',
      });
    },
    grpc,
  ),
  client(
    'GRPC-004',
    'a message has a member of the other version',
    (session) => session.set('get', 'grpc/request/name', 'tasks/task-plain'),
    modern,
  ),
  client(
    'GRPC-004',
    'a message has a member of the other version',
    (session) => session.set('get', 'grpc/request/id', 'task-plain'),
    { ...grpc, versions: ['0.3'] },
  ),
  server(
    'GRPC-005',
    'a method is not there',
    (session) => {
      session.copy('config', 'again');
      session.drop('again', 'grpc/response');
      session.set('again', 'grpc/status', 'UNIMPLEMENTED');
    },
    modern,
  ),
  client(
    'GRPC-006',
    'extensions have another key',
    (session) => session.set('get', 'grpc/metadata/a2a-extension', 'https://extensions.example/geo/v1'),
    modern,
  ),
  server(
    'GRPC-008',
    'a version that is not there is served',
    (session) => {
      // An agent whose card nobody has seen: else it is VER-004.
      session.set('future', 'to', 'other agent');
      session.set('future', 'grpc/response', session.get('patched', 'grpc/response'));
      session.set('future', 'grpc/status', 'OK');
      session.drop('future', 'grpc/details');
      session.drop('future', 'grpc/trailers');
    },
    modern,
  ),
  server('GRPC-009', 'an error has no details', (session) => session.drop('unknown', 'grpc/details'), modern),
  server(
    'GRPC-011',
    'a stream ends with an error after its last event',
    (session) => session.set('stream', 'grpc/status', 'INTERNAL'),
    modern,
  ),
  server(
    'GRPC-012',
    'a created config has no URL',
    (session) => session.drop('create', 'grpc/response/url'),
    {
      ...modern,
    },
  ),
  server(
    'GRPC-013',
    'a request without its id gets another status',
    (session) => {
      session.set('noId', 'grpc/status', 'OUT_OF_RANGE');
      session.drop('noId', 'grpc/details');
    },
    modern,
  ),
  server(
    'GRPC-014',
    'a message has no role',
    (session) => session.drop('question', 'grpc/response/task/status/message/role'),
    modern,
  ),
  client(
    'GRPC-015',
    'a task of 0.3 is named by its bare id',
    (session) => session.set('get', 'grpc/request/name', 'task-plain'),
    grpc,
  ),
  client(
    'GRPC-016',
    'a request of 1.0 is that of 0.3',
    (session) => session.set('get', 'grpc/request', { name: 'tasks/task-plain' }),
    modern,
  ),
  client(
    'GRPC-016',
    'a request of 0.3 is that of 1.0',
    (session) => session.set('get', 'grpc/request', { id: 'task-plain' }),
    {
      ...grpc,
      versions: ['0.3'],
    },
  ),
  client(
    'GRPC-007',
    'extensions come in two entries',
    (session) => {
      session.set('get', 'grpc/metadata/a2a-extensions', 'https://extensions.example/geo/v1');
      session.set('get', 'grpc/metadata/A2A-Extensions', 'https://extensions.example/cite/v1');
    },
    modern,
  ),
];

export default mutations;
