import { v1 } from '@plugfest/verifier/examples';
import { invalid } from '../episodes/words.ts';
import { client, type Mutation, server, webhookSender } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  client('PUSH-002', 'a config has no URL', (session) => {
    session.copy('create', 'again');
    session.set('again', 'params', { taskId: 'task-push' });
    session.fail('again', invalid('url'));
  }),
  server('PUSH-003', 'the created config has no id', (session) => session.drop('create', 'result/id')),
  server('PUSH-006', 'a config is read back without its URL', (session) =>
    session.drop('config', 'result/url'),
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
  client('PUSH-013', 'the authentication of a config names no scheme', (session) => {
    session.copy('create', 'again');
    session.set('again', 'params', {
      taskId: 'task-push',
      url: 'https://hook.example/again',
      authentication: {},
    });
    session.fail('again', invalid('authentication.scheme'));
  }),
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
    { level: 'wire' },
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
  server('PUSH-020', 'the config of a send is not in the list', (session) => {
    session.copy('twiceList', 'lists');
    session.set('lists', 'params/taskId', 'task-inline');
    session.set('lists', 'result/configs', []);
    const lists = session.exchanges().get('lists');
    session.without('lists');
    if (lists !== undefined) session.insert('inline', 'lists', lists);
    session.set('lists', 'at', '2026-01-01T00:01:41.000Z');
  }),
  server('PUSH-004', 'two configs have one id', (session) => {
    session.copy('create', 'again');
    session.set('again', 'at', '2026-01-01T00:01:22.500Z');
    session.set('again', 'params', {
      taskId: 'task-push',
      url: 'https://hook.example/other',
      token: 'token-5',
    });
    session.set('again', 'result', {
      taskId: 'task-push',
      id: 'config-1',
      url: 'https://hook.example/other',
      token: 'token-5',
    });
  }),
  server('PUSH-005', 'the configs of a task that is not there are listed', (session) => {
    session.drop('noSuchTask', 'error');
    session.set('noSuchTask', 'result', { configs: [] });
  }),
  server('PUSH-007', 'a config that is not there is returned', (session) => {
    session.drop('noSuchConfig', 'error');
    session.set('noSuchConfig', 'result', v1.pushConfig({ taskId: 'task-plain', id: 'config-none' }));
  }),
  server('PUSH-008', 'a list of configs lacks one', (session) =>
    session.set('twiceList', 'result/configs', []),
  ),
  server('PUSH-009', 'a deleted config can be read', (session) => {
    session.drop('twiceGone', 'error');
    session.set('twiceGone', 'result', session.get('twiceCreate', 'result'));
  }),
  server('PUSH-010', 'a second deletion is an error', (session) =>
    session.fail('twiceAgain', session.get('twiceGone', 'error')),
  ),
  server('PUSH-001', 'an agent that declares no notifications takes a config', (session) => {
    session.drop('muteConfig', 'error');
    session.set('muteConfig', 'result', {
      taskId: 'task-mute',
      id: 'config-3',
      url: 'https://hook.example/push',
      token: 'token-3',
    });
  }),
  server('PUSH-017', 'an agent takes the address of a metadata service', (session) => {
    session.drop('metadataHost', 'error');
    session.set('metadataHost', 'result', {
      taskId: 'task-plain',
      id: 'config-4',
      url: 'http://169.254.169.254/latest/meta-data/',
      token: 'token-4',
    });
  }),
  webhookSender('PUSH-011', 'a delivery comes after its config was deleted', (session) => {
    const delivered = session.exchanges().get('delivered');
    if (delivered === undefined) throw new Error('there is no delivery');
    session.insert('twiceStop', 'deliveredLate', delivered);
    session.set('deliveredLate', 'request/url', 'https://hook.example/twice');
    session.set('deliveredLate', 'request/headers/Authorization', 'Bearer cred-9');
    session.set('deliveredLate', 'request/headers/X-A2A-Notification-Token', 'token-9');
    session.set('deliveredLate', 'request/body', { task: session.get('twiceStop', 'result') });
    session.set('deliveredLate', 'at', '2026-01-01T00:04:20.000Z');
  }),
];

export default mutations;
