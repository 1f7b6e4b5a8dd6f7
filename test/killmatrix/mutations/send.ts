import { v1 } from '@plugfest/verifier/examples';
import { invalid, longAnswer, reply } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  client(
    'SEND-001',
    'a message has no id',
    (session) => {
      session.copy('plain', 'again');
      session.drop('again', 'params/message/messageId');
      session.fail('again', invalid('message.messageId'));
    },
    {
      also: {
        'JSON-007': 'every required member',
        'JSON-024': 'ids are not empty',
        'JSON-008': 'the agent takes it',
        'SEND-021': 'the agent takes it',
        'GRPC-013': 'the agent takes it',
      },
    },
  ),
  client('SEND-002', 'the client speaks as the agent', (session) =>
    session.set('plain', 'params/message/role', 'ROLE_AGENT'),
  ),
  server(
    'SEND-003',
    'a send is answered with a task and a message',
    (session) => session.set('plain', 'result/message', v1.reply('hi')),
    { also: { 'JSON-017': 'exactly one payload', 'RPC-020': 'exactly one payload' } },
  ),
  server(
    'SEND-004',
    'the task that answers has no id',
    (session) => session.drop('plain', 'result/task/id'),
    {
      also: { 'JSON-007': 'every required member', 'JSON-024': 'ids are not empty' },
    },
  ),
  server('SEND-005', 'the message that answers has no context', (session) =>
    session.drop('direct', 'result/message/contextId'),
  ),
  server('SEND-006', 'a send is answered before the task stops', (session) => {
    session.drop('start', 'params/configuration');
  }),
  client('SEND-017', 'a config inside a send names a task', (session) =>
    session.set('inline', 'params/configuration/taskPushNotificationConfig/taskId', 'task-inline'),
  ),
  server('SEND-023', 'output comes in the status message only', (session) => {
    session.drop('rich', 'result/task/artifacts');
    session.without('bare');
    session.set('rich', 'result/task/status/message', reply('rich', longAnswer));
  }),
  server('SEND-024', 'a message to a task is answered with another task', (session) =>
    session.set('answer', 'result/task/id', 'task-other'),
  ),
  server('SEND-025', 'a message to a task is answered with a message', (session) =>
    session.set('answer', 'result', { message: v1.reply('done', { contextId: 'ctx-turn' }) }),
  ),
  server('SEND-026', 'the agent speaks as the user', (session) =>
    session.set('question', 'result/task/status/message/role', 'ROLE_USER'),
  ),
  client('SEND-020', 'a messageId is used twice', (session) =>
    session.set('answer', 'params/message/messageId', session.get('plain', 'params/message/messageId')),
  ),
];

export default mutations;
