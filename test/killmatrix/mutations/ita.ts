import { type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  server('ITA-002', 'a task waits for an authorization and does not say which', (session) =>
    session.drop('asked', 'result/task/status/message'),
  ),
  server('ITA-008', 'a task of 0.x waits for an authorization and does not say which', (session) =>
    session.drop('asked', 'result/task/status/message'),
  ),
  server('ITA-001', 'an authorization is asked for in a direct message', (session) =>
    session.set(
      'direct',
      'result/message/parts/0/text',
      'Please allow it: https://login.example/authorize?response_type=code&client_id=agent-1&scope=calendar',
    ),
  ),
  server('ITA-003', 'credentials are taken out of a message', (session) => {
    session.copy('answer', 'granting');
    session.set('granting', 'params/message', {
      messageId: 'm-granting',
      role: 'ROLE_USER',
      taskId: 'task-signed',
      contextId: 'ctx-signed',
      parts: [{ text: 'Use password: correct-horse-7' }],
    });
    session.set('granting', 'params/configuration', { returnImmediately: true });
    session.set('granting', 'purpose', 'probe');
    session.set('granting', 'result/task', session.get('waited', 'result'));
    session.set('granting', 'at', '2026-01-01T00:03:42.000Z');
    const granting = session.exchanges().get('granting');
    session.without('granting');
    if (granting !== undefined) session.insert('asked', 'granting', granting);
  }),
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
