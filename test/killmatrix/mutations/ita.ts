import { v1 } from '@plugfest/verifier/examples';
import { client, gateway, type Mutation, server, webhookSender } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  server('ITA-002', 'a task waits for an authorization and does not say which', (session) =>
    session.drop('asked', 'result/task/status/message'),
  ),
  server('ITA-008', 'a task of 0.x waits for an authorization and does not say which', (session) =>
    session.drop('asked', 'result/task/status/message'),
  ),
  server(
    'SSE-013',
    'a stream ends where its task waits for an authorization',
    (session) => {
      for (const index of [4, 3, 2]) session.drop('pay', `response/sse/${index}`);
    },
    { also: { 'SUB-010': 'so nobody looks after it' } },
  ),
  server(
    'CANC-004',
    'a second cancel changes the task',
    (session) => session.set('stopAgain', 'result/status/state', 'TASK_STATE_COMPLETED'),
    {
      also: {
        'LIFE-002': 'a terminal state stays',
        'LIFE-011': 'all agree on the end',
        'CANC-005': 'a cancel shows the task as cancelled',
        'CANC-002': 'a finished task',
      },
    },
  ),
  server(
    'PUSH-004',
    'two configs have one id',
    (session) => {
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
    },
    { also: { 'PUSH-012': 'the first can be read no more', 'PUSH-008': 'the list holds each' } },
  ),
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
  server(
    'PUSH-009',
    'a deleted config can be read',
    (session) => {
      session.drop('twiceGone', 'error');
      session.set('twiceGone', 'result', session.get('twiceCreate', 'result'));
    },
    { also: { 'PUSH-007': 'it does not exist' } },
  ),
  server('PUSH-010', 'a second deletion is an error', (session) =>
    session.fail('twiceAgain', session.get('twiceGone', 'error')),
  ),
  server(
    'PUSH-001',
    'an agent that declares no notifications takes a config',
    (session) => {
      session.drop('muteConfig', 'error');
      session.set('muteConfig', 'result', {
        taskId: 'task-mute',
        id: 'config-3',
        url: 'https://hook.example/push',
        token: 'token-3',
      });
    },
    { also: { 'PUSH-005': 'the task is not there either' } },
  ),
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
    session.insert('twiceStop', 'tooLate', delivered);
    session.set('tooLate', 'request/url', 'https://hook.example/twice');
    session.set('tooLate', 'request/headers/Authorization', 'Bearer cred-9');
    session.set('tooLate', 'request/headers/X-A2A-Notification-Token', 'token-9');
    session.set('tooLate', 'request/body', { task: session.get('twiceStop', 'result') });
    session.set('tooLate', 'at', '2026-01-01T00:04:20.000Z');
  }),
  server('SSE-021', 'an agent that declares no streaming streams', (session) => {
    session.set('muteStream', 'response', session.get('spoken', 'response'));
    session.set('muteStream', 'response/sse/0/data/id', session.get('muteStream', 'request/body/id'));
    session.set('muteStream', 'request/headers/Accept', 'text/event-stream');
  }),
  server(
    'SEND-010',
    'a message to a task that is not there is served',
    (session) => {
      session.drop('invented', 'error');
      session.set('invented', 'result', {
        task: {
          id: 'task-nowhere',
          contextId: 'ctx-nowhere',
          status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:03:14.250Z' },
        },
      });
    },
    { also: { 'CTX-008': 'an id of the client becomes that of a task' } },
  ),
  server(
    'SEND-011',
    'a message to a finished task is served',
    (session) => {
      session.drop('more', 'error');
      session.set('more', 'result', { task: session.get('get', 'result') });
    },
    { also: { 'TASK-003': 'history' } },
  ),
  server('SEND-012', 'a message to a finished task of 0.3 is served', (session) => {
    session.drop('more', 'error');
    session.set('more', 'result', { task: session.get('get', 'result') });
  }),
  server(
    'SEND-021',
    'a message without parts is served',
    (session) => {
      session.drop('noParts', 'error');
      session.set('noParts', 'result', { message: session.get('direct', 'result/message') });
    },
    {
      also: { 'JSON-008': 'a required member', 'GRPC-013': 'a required field', 'RPC-015': 'unusable params' },
    },
  ),
  server(
    'SEND-027',
    'a negative historyLength is served',
    (session) => {
      session.drop('odd', 'error');
      session.set('odd', 'result', session.get('patched', 'result'));
    },
    { also: { 'RPC-015': 'unusable params' } },
  ),
  server(
    'CTX-005',
    'a message with the context of another task is served',
    (session) => {
      session.drop('otherContext', 'error');
      session.set('otherContext', 'result', { task: session.get('plain', 'result/task') });
    },
    {
      also: {
        'SEND-011': 'the task is finished',
        'CTX-003': 'another context',
        'CTX-002': 'the context is dropped',
      },
    },
  ),
  server('LIST-008', 'a page of more than 100 is served', (session) => {
    session.drop('hugePage', 'error');
    session.set('hugePage', 'result', { tasks: [], nextPageToken: '', pageSize: 100, totalSize: 0 });
  }),
  server('LIST-016', 'a token that was never given is served', (session) => {
    session.drop('forgedPage', 'error');
    session.set('forgedPage', 'result', { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
  }),
  server('LIST-010', 'a task in another state is listed', (session) => {
    session.set('byState', 'result/tasks/0/id', 'task-failed');
    session.set('byState', 'result/tasks/0/status/state', 'TASK_STATE_FAILED');
  }),
  server('LIST-011', 'a task of before is listed', (session) => {
    session.set('byState', 'result/tasks/2/id', 'task-old');
    session.set('byState', 'result/tasks/2/status/timestamp', '2026-01-01T00:00:10.250Z');
  }),
  server('LIST-005', 'listed tasks lack the artifacts asked for', (session) => {
    for (const index of [0, 1, 2]) session.drop('byState', `result/tasks/${index}/artifacts`);
  }),
  server(
    'TASK-005',
    'a history of 0 messages has one',
    (session) =>
      session.set('bare', 'result/history', [
        v1.message('as data', { messageId: 'm-rich', taskId: 'task-rich', contextId: 'ctx-rich' }),
      ]),
    { also: { 'TASK-003': 'more than asked for' } },
  ),
  server(
    'ART-005',
    'an artifact that was sent again is joined',
    (session) =>
      session.set('redoneGet', 'result/artifacts/0/parts', [{ text: 'A draft' }, { text: 'The answer' }]),
    {
      also: {
        'ART-008': 'what Get Task shows',
        'SSE-028': 'what the stream gave',
        'LIFE-011': 'streams and polls agree',
      },
    },
  ),
  server('ART-015', 'the metadata of an artifact gets lost', (session) =>
    session.drop('notedGet', 'result/artifacts/0/metadata'),
  ),
  server(
    'ART-011',
    'an artifact has an extension that is not declared',
    (session) =>
      session.push('placed', 'result/task/artifacts/0/extensions', 'https://extensions.example/other/v1'),
    { also: { 'EXT-010': 'only what was activated' } },
  ),
  gateway('HDR-008', 'a gateway drops the extensions', (session) =>
    session.drop('onward', 'request/headers/A2A-Extensions'),
  ),
  client('GUIDE-003', 'an agent uses the credentials of its caller', (session) => {
    session.set('onward', 'params/message/messageId', 'm-own');
    session.set('onward', 'request/headers/Authorization', 'Bearer user-1');
  }),
  client(
    'OBS-002',
    'a traceparent is malformed',
    (session) => session.set('handed', 'request/headers/traceparent', '00-xyz-1'),
    {
      also: { 'OBS-006': 'the trace is broken', 'HDR-008': 'the trace is another' },
    },
  ),
  server('GUIDE-009', 'a reply holds a token', (session) =>
    session.set(
      'direct',
      'result/message/parts/0/text',
      'Use Bearer sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c next time',
    ),
  ),
  client('GUIDE-001', 'a client polls without a pause', (session) => {
    for (let index = 0; index < 12; index += 1) {
      session.copy('poll', `poll${index}`);
      session.set(
        `poll${index}`,
        'at',
        new Date(Date.UTC(2026, 0, 1, 0, 0, 33, 500 - index * 10)).toISOString(),
      );
    }
  }),
  server('ITA-001', 'an authorization is asked for in a direct message', (session) =>
    session.set(
      'direct',
      'result/message/parts/0/text',
      'Please allow it: https://login.example/authorize?response_type=code&client_id=agent-1&scope=calendar',
    ),
  ),
  server(
    'ITA-003',
    'credentials are taken out of a message',
    (session) => {
      session.copy('answer', 'granting');
      session.set('granting', 'params/message', {
        messageId: 'm-granting',
        role: 'ROLE_USER',
        taskId: 'task-signed',
        contextId: 'ctx-signed',
        parts: [{ text: 'Use password: correct-horse-7' }],
      });
      session.set('granting', 'result/task', session.get('waited', 'result'));
      session.set('granting', 'at', '2026-01-01T00:03:42.000Z');
      const granting = session.exchanges().get('granting');
      session.without('granting');
      if (granting !== undefined) session.insert('asked', 'granting', granting);
    },
    { also: { 'AUTH-008': 'messages hold no credentials', 'SEND-006': 'answered too early' } },
  ),
  server('ITA-005', 'a message to a task that waits is refused', (session) => {
    session.copy('answer', 'granting');
    session.set('granting', 'params/message', {
      messageId: 'm-granting',
      role: 'ROLE_USER',
      taskId: 'task-signed',
      contextId: 'ctx-signed',
      parts: [{ text: 'Is read access enough?' }],
    });
    session.fail('granting', {
      code: -32004,
      message: 'The task is in AUTH_REQUIRED',
      data: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'UNSUPPORTED_OPERATION',
          domain: 'a2a-protocol.org',
        },
      ],
    });
    session.set('granting', 'at', '2026-01-01T00:03:42.000Z');
    const granting = session.exchanges().get('granting');
    session.without('granting');
    if (granting !== undefined) session.insert('asked', 'granting', granting);
  }),
];

export default mutations;
