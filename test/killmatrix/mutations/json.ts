import { client, type Mutation, server } from '../mutation.ts';

const http = { bindings: ['JSONRPC', 'HTTP+JSON'] as const };
const rpc = { level: 'wire' as const, bindings: ['JSONRPC'] as const };

const mutations: readonly Mutation[] = [
  server(
    'JSON-001',
    'a member is named as in the proto file',
    (session) => {
      session.set('send', 'result/task/history/0/reference_task_ids', ['task-plain']);
    },
    http,
  ),
  server(
    'JSON-002',
    'a state is spelled as in 0.3',
    (session) => session.set('get', 'result/status/state', 'completed'),
    {
      ...http,
    },
  ),
  server(
    'JSON-003',
    'the role of a message is UNSPECIFIED',
    (session) => session.set('send', 'result/task/history/0/role', 'ROLE_UNSPECIFIED'),
    http,
  ),
  server(
    'JSON-004',
    'a timestamp has no zone',
    (session) => session.set('get', 'result/status/timestamp', '2026-01-01T00:00:22.250'),
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server(
    'JSON-005',
    'a timestamp has an offset',
    (session) => session.set('get', 'result/status/timestamp', '2026-01-01T02:00:22.250+02:00'),
    http,
  ),
  server(
    'JSON-006',
    'no timestamp has milliseconds',
    (session) => {
      session.set('start', 'result/task/status/timestamp', '2026-01-01T00:00:30Z');
      session.set('poll', 'result/status/timestamp', '2026-01-01T00:00:31Z');
      session.set('pollAgain', 'result/status/timestamp', '2026-01-01T00:00:35Z');
    },
    http,
  ),
  server(
    'JSON-007',
    'a message has no id',
    (session) => session.drop('question', 'result/task/status/message/messageId'),
    {
      ...http,
      versions: ['0.2', '1.0'],
    },
  ),
  server(
    'JSON-007',
    'a message has no id',
    (session) => session.drop('question', 'response/body/result/status/message/messageId'),
    { ...rpc, versions: ['0.3'] },
  ),
  server(
    'JSON-007',
    'a message has no id',
    (session) => session.drop('question', 'grpc/response/task/status/message/messageId'),
    {
      level: 'wire',
      bindings: ['GRPC'],
      versions: ['1.0'],
    },
  ),
  server('JSON-009', 'a message has no parts', (session) =>
    session.set('question', 'result/task/status/message/parts', []),
  ),
  server(
    'JSON-010',
    'a part has text and data',
    (session) => session.set('get', 'result/artifacts/0/parts/0/data', { answer: 4 }),
    http,
  ),
  server(
    'JSON-011',
    'the bytes of a part are no base64',
    (session) => session.push('pollAgain', 'result/artifacts/0/parts', { raw: 'no base64!' }),
    http,
  ),
  server('JSON-013', 'the URL of a part is relative', (session) =>
    session.push('pollAgain', 'result/artifacts/0/parts', { url: 'files/answer.txt' }),
  ),
  server('JSON-014', 'a task says its kind', (session) => session.set('get', 'result/kind', 'task'), {
    ...http,
  }),
  server(
    'JSON-015',
    'a part has a file as in 0.3',
    (session) =>
      session.push('pollAgain', 'result/artifacts/0/parts', {
        file: { uri: 'https://agent.example/answer.txt' },
      }),
    http,
  ),
  server(
    'JSON-016',
    'a status event says final',
    (session) => session.set('stream', 'event4/statusUpdate/final', true),
    http,
  ),
  server(
    'JSON-017',
    'a stream event holds two payloads',
    (session) => session.set('spoken', 'event0/statusUpdate', session.get('stream', 'event4/statusUpdate')),
    {
      ...http,
    },
  ),
  server(
    'JSON-019',
    'a member that is not set is null',
    (session) => session.set('get', 'result/history/0/extensions', null),
    http,
  ),
  server('JSON-020', 'metadata is a list', (session) => session.set('get', 'result/metadata', ['a']), {
    ...http,
    versions: ['1.0'],
  }),
  server(
    'JSON-020',
    'metadata is a list',
    (session) => session.set('get', 'response/body/result/metadata', ['a']),
    {
      ...rpc,
      versions: ['0.1', '0.2', '0.3'],
    },
  ),
  server('JSON-020', 'metadata is a list', (session) => session.set('get', 'response/body/metadata', ['a']), {
    level: 'wire',
    bindings: ['HTTP+JSON'],
    versions: ['0.3'],
  }),
  server('JSON-021', 'a page size is a text', (session) => session.set('page', 'result/pageSize', '2'), http),
  server(
    'JSON-023',
    'a typed object of an error has a name for its type',
    (session) => session.push('unknown', 'error/data', { '@type': 'TaskId', id: 'no-such-task' }),
    http,
  ),
  server(
    'JSON-024',
    'an id is empty',
    (session) => session.set('send', 'result/task/history/0/messageId', ''),
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server(
    'JSON-034',
    'the name of an artifact is a number',
    (session) => session.set('get', 'result/artifacts/0/name', 7),
    {
      ...http,
      versions: ['1.0'],
    },
  ),
  server(
    'JSON-034',
    'the name of an artifact is a number',
    (session) => session.set('get', 'response/body/result/artifacts/0/name', 7),
    { ...rpc, versions: ['0.1', '0.2', '0.3'] },
  ),
  server(
    'JSON-022',
    'a body has a member twice',
    (session) => {
      const body = JSON.stringify(session.get('get', 'response/body'));
      session.drop('get', 'response/body');
      session.set('get', 'response/body_raw', body.replace('{', `{"extra":1,"extra":2,`));
    },
    { level: 'wire', bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server(
    'JSON-026',
    'a task does not say its kind',
    (session) => session.drop('get', 'response/body/result/kind'),
    rpc,
  ),
  server(
    'JSON-027',
    'a part does not say its kind',
    (session) => session.drop('get', 'response/body/result/artifacts/0/parts/0/kind'),
    rpc,
  ),
  server(
    'JSON-028',
    'a file has neither bytes nor a URI',
    (session) =>
      session.push('get', 'response/body/result/artifacts/0/parts', {
        kind: 'file',
        file: { name: 'a.txt' },
      }),
    rpc,
  ),
  server(
    'JSON-029',
    'data is a list',
    (session) => session.push('get', 'response/body/result/artifacts/0/parts', { kind: 'data', data: [1] }),
    rpc,
  ),
  server(
    'JSON-030',
    'a state is spelled as in 1.0',
    (session) => session.set('get', 'response/body/result/status/state', 'TASK_STATE_COMPLETED'),
    rpc,
  ),
  server(
    'JSON-031',
    'a part says a type that 0.1 has not',
    (session) => session.set('get', 'response/body/result/artifacts/0/parts/0/type', 'markdown'),
    rpc,
  ),
  server(
    'JSON-032',
    'a task is in a state that 0.1 has not',
    (session) => session.set('poll', 'response/body/result/status/state', 'paused'),
    rpc,
  ),
  client(
    'JSON-035',
    'a call of 0.x lacks its id',
    (session) => {
      session.drop('noId', 'request/body');
      session.set('noId', 'request/body', { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: {} });
      session.drop('noId', 'purpose');
      session.set('noId', 'response/body/id', 1);
    },
    rpc,
  ),
  server('JSON-008', 'a config without its scheme is served', (session) => {
    session.copy('create', 'again');
    session.set('again', 'purpose', 'probe');
    const config = { taskId: 'task-push', url: 'https://hook.example/again', token: 'token-6' };
    session.set('again', 'params', { ...config, authentication: { credentials: 'cred-6' } });
    session.set('again', 'result', { ...config, id: 'config-6' });
  }),
  server(
    'JSON-018',
    'a member that nobody knows is refused',
    (session) => {
      session.set('get', 'params/extra', true);
      session.fail('get', { code: -32602, message: 'Unknown field "extra" in the request' });
    },
    { bindings: ['JSONRPC'] },
  ),
  server(
    'JSON-004',
    'a timestamp has no zone',
    (session) => session.set('get', 'response/body/status/timestamp', '2026-01-01T00:00:22.250'),
    { level: 'wire', bindings: ['HTTP+JSON'], versions: ['0.3'] },
  ),
  server(
    'JSON-018',
    'a member that nobody knows is refused',
    (session) => {
      session.set('direct', 'params/extra', true);
      session.fail('direct', { code: -32602, message: 'Unknown field "extra" in the request' });
    },
    { bindings: ['HTTP+JSON'] },
  ),
  server(
    'JSON-034',
    'the URL of the documentation is a number',
    (session) => session.set('card', 'response/body/documentationUrl', 7),
    { level: 'wire', bindings: ['HTTP+JSON'], versions: ['0.3'] },
  ),
];

export default mutations;
