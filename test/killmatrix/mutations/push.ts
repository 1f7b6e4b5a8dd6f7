import { invalid } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  client(
    'PUSH-002',
    'a config has no URL',
    (session) => {
      session.copy('create', 'again');
      session.set('again', 'params', { taskId: 'task-push' });
      session.fail('again', invalid('url'));
    },
    { also: { 'JSON-007': 'every required member' } },
  ),
  server('PUSH-003', 'the created config has no id', (session) => session.drop('create', 'result/id')),
  server(
    'PUSH-006',
    'a config is read back without its URL',
    (session) => session.drop('config', 'result/url'),
    {
      also: { 'JSON-007': 'every required member' },
    },
  ),
  server('PUSH-012', 'a config cannot be read though its task works', (session) => {
    session.drop('config', 'result');
    session.set('config', 'error', {
      code: -32001,
      message: 'No such config',
      data: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'TASK_NOT_FOUND',
          domain: 'a2a-protocol.org',
        },
      ],
    });
  }),
  client(
    'PUSH-013',
    'the authentication of a config names no scheme',
    (session) => {
      session.copy('create', 'again');
      session.set('again', 'params', {
        taskId: 'task-push',
        url: 'https://hook.example/again',
        authentication: {},
      });
      session.fail('again', invalid('authentication.scheme'));
    },
    { also: { 'JSON-007': 'every required member' } },
  ),
  client('PUSH-016', 'a webhook is at a URL in the clear', (session) => {
    session.set(
      'inline',
      'params/configuration/taskPushNotificationConfig/url',
      'http://hook.example/inline',
    );
    session.set('inlineDelivered', 'request/url', 'http://hook.example/inline');
  }),
  client('PUSH-018', 'two configs share their credentials', (session) =>
    session.set('inline', 'params/configuration/taskPushNotificationConfig/token', 'token-1'),
  ),
  client(
    'PUSH-014',
    'the authentication of a 0.x config names one scheme',
    (session) => {
      session.drop('create', 'params/pushNotificationConfig/authentication/schemes');
      session.set('create', 'params/pushNotificationConfig/authentication/scheme', 'Bearer');
    },
    { level: 'wire' },
  ),
  client(
    'PUSH-015',
    'a config is nested as in 0.3',
    (session) => {
      session.copy('create', 'again');
      session.set('again', 'params', {
        taskId: 'task-push',
        pushNotificationConfig: { url: 'https://hook.example/again', token: 'token-6' },
      });
      session.fail('again', invalid('url'));
    },
    {
      bindings: ['JSONRPC', 'HTTP+JSON'],
      also: { 'PUSH-002': 'so it has no URL', 'JSON-007': 'every required member' },
    },
  ),
  server(
    'PUSH-022',
    'a config of 0.x is flat',
    (session) => {
      session.set('config', 'response/body/result', {
        taskId: 'task-push',
        id: 'config-1',
        url: 'https://hook.example/push',
        token: 'token-1',
      });
    },
    { level: 'wire', also: { 'JSON-007': 'every required member' } },
  ),
  server(
    'PUSH-023',
    'a config of 0.1 is flat',
    (session) => {
      session.set('config', 'response/body/result', {
        id: 'task-push',
        url: 'https://hook.example/push',
        token: 'token-1',
      });
    },
    { level: 'wire' },
  ),
  server(
    'PUSH-020',
    'the config of a send is not in the list',
    (session) => {
      session.copy('twiceList', 'lists');
      session.set('lists', 'params/taskId', 'task-inline');
      session.set('lists', 'result/configs', []);
      const lists = session.exchanges().get('lists');
      session.without('lists');
      if (lists !== undefined) session.insert('inline', 'lists', lists);
      session.set('lists', 'at', '2026-01-01T00:01:41.000Z');
    },
    { also: { 'PUSH-008': 'each config is listed' } },
  ),
];

export default mutations;
