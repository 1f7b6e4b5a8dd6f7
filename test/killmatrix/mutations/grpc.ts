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
  server(
    'GRPC-004',
    'a message has a member that its proto has not',
    (session) => session.set('get', 'grpc/response/kind', 'task'),
    grpc,
  ),
  server(
    'GRPC-005',
    'a method is not there',
    (session) => {
      session.copy('config', 'again');
      session.drop('again', 'grpc/response');
      session.set('again', 'grpc/status', 'UNIMPLEMENTED');
    },
    { ...modern, also: { 'PUSH-012': 'so a config cannot be read', 'GRPC-009': 'errors have an ErrorInfo' } },
  ),
  client(
    'GRPC-006',
    'the version has the key of another header',
    (session) => {
      session.drop('get', 'grpc/metadata/a2a-version');
      session.set('get', 'grpc/metadata/x-a2a-version', '1.0');
    },
    { ...modern, also: { 'VER-001': 'so there is none', 'VER-003': 'and it is served', 'HDR-006': 'no X-' } },
  ),
  server(
    'GRPC-008',
    'a version that is not there is served',
    (session) => {
      session.set('future', 'grpc/response', session.get('patched', 'grpc/response'));
      session.set('future', 'grpc/status', 'OK');
      session.drop('future', 'grpc/details');
      session.drop('future', 'grpc/trailers');
    },
    { ...modern, also: { 'VER-004': 'it is not declared' } },
  ),
  server('GRPC-009', 'an error has no details', (session) => session.drop('unknown', 'grpc/details'), modern),
  server(
    'GRPC-011',
    'a stream ends without a status',
    (session) => session.drop('stream', 'grpc/status'),
    modern,
  ),
  server(
    'GRPC-012',
    'a deletion answers with the config',
    (session) => session.set('remove', 'grpc/response', session.get('config', 'grpc/response')),
    { ...modern, also: { 'GRPC-004': 'Empty has no members', 'GRPC-016': 'Empty has no members' } },
  ),
  server(
    'GRPC-013',
    'a request without its id gets another status',
    (session) => session.set('noId', 'grpc/status', 'NOT_FOUND'),
    modern,
  ),
  server('GRPC-014', 'an answer holds no payload', (session) => session.set('plain', 'grpc/response', {}), {
    ...modern,
    also: { 'SEND-003': 'a task or a message' },
  }),
  client(
    'GRPC-015',
    'a task of 0.3 is named by its bare id',
    (session) => session.set('get', 'grpc/request/name', 'task-plain'),
    grpc,
  ),
  server(
    'GRPC-016',
    'a message of 1.0 is that of 0.3',
    (session) => session.set('get', 'grpc/response/status/state', 'TASK_STATE_CANCELLED'),
    { ...modern, versions: [] },
  ),
];

export default mutations;
