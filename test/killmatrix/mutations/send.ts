import { v1 } from '@plugfest/verifier/examples';
import { invalid, longAnswer, reply } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  client('SEND-001', 'a message has no id', (session) => {
    session.copy('plain', 'again');
    session.drop('again', 'params/message/messageId');
    session.fail('again', invalid('message.messageId'));
  }),
  client('SEND-002', 'the client speaks as the agent', (session) =>
    session.set('plain', 'params/message/role', 'ROLE_AGENT'),
  ),
  server(
    'SEND-003',
    'a send is answered with a task and a message',
    (session) => session.set('plain', 'result/message', v1.reply('hi')),
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server('SEND-004', 'the task that answers has no id', (session) => session.drop('plain', 'result/task/id')),
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
  server('SEND-007', 'a finished task comes without all of its artifacts', (session) =>
    session.drop('rich', 'result/task/artifacts/1'),
  ),
  server('SEND-009', 'a stream is cut short, because the client wanted to return at once', (session) => {
    session.set('watched', 'params/configuration', { returnImmediately: true });
    session.set('watched', 'response/sse', [session.get('watched', 'response/sse/0')]);
  }),
  server('SEND-013', 'a part of a media type that is not declared is taken', (session) => {
    session.drop('media', 'error');
    session.set('media', 'result', { message: session.get('direct', 'result/message') });
  }),
  server('SEND-014', 'the output is of a type that the client does not take', (session) => {
    session.set('rich', 'params/configuration/acceptedOutputModes', ['text/plain']);
    session.set('rich', 'result/task/artifacts', [
      {
        artifactId: 'artifact-1',
        parts: [{ url: 'https://files.example/a.json', mediaType: 'application/json' }],
      },
    ]);
    session.without('bare');
  }),
  server('SEND-022', 'a refusal does not say what is missing', (session) =>
    session.set('noRole', 'error', { code: -32602, message: 'Invalid' }),
  ),
  server(
    'SEND-028',
    'a 0.3 send that blocks is answered before its task stops',
    (session) => session.set('start', 'request/body/params/configuration', { blocking: true }),
    { level: 'wire' },
  ),
  client(
    'SEND-029',
    'a 0.1 send names no task',
    (session) => session.drop('plain', 'request/body/params/id'),
    {
      level: 'wire',
    },
  ),
  server('SEND-031', 'a direct message names a task that is not there', (session) => {
    session.set('direct', 'result/message/taskId', 'task-phantom');
    session.copy('unknown', 'phantom');
    session.set('phantom', 'params/id', 'task-phantom');
  }),
  server('SEND-018', 'a config is dropped without a word', (session) => {
    session.copy('fault', 'again');
    session.set('again', 'to', 'mute agent');
    session.set('again', 'params', {
      message: { messageId: 'm-again', role: 'ROLE_USER', parts: [{ text: 'hello' }] },
      configuration: { taskPushNotificationConfig: { url: 'https://hook.example/mute', token: 'token-7' } },
    });
    session.drop('again', 'error');
    session.set('again', 'result', { message: session.get('direct', 'result/message') });
    const again = session.exchanges().get('again');
    session.without('again');
    if (again !== undefined) session.insert('muteCard', 'again', again);
    session.set('again', 'at', '2026-01-01T00:02:51.000Z');
  }),
  server('SEND-010', 'a message to a task that is not there is served', (session) => {
    session.drop('invented', 'error');
    session.set('invented', 'result', { message: session.get('direct', 'result/message') });
  }),
  server('SEND-011', 'a message to a finished task is served', (session) => {
    session.drop('more', 'error');
    session.set('more', 'result', { task: session.get('get', 'result') });
  }),
  server('SEND-012', 'a message to a finished task of 0.3 is served', (session) => {
    session.drop('more', 'error');
    session.set('more', 'result', { task: session.get('get', 'result') });
  }),
  server('SEND-021', 'a message without parts is served', (session) => {
    session.drop('noParts', 'error');
    session.set('noParts', 'result', { message: session.get('direct', 'result/message') });
  }),
  server('SEND-027', 'a negative historyLength is served', (session) => {
    session.drop('odd', 'error');
    session.set('odd', 'result', session.get('patched', 'result'));
  }),
  server(
    'SEND-003',
    'a send is answered with nothing',
    (session) => session.set('plain', 'grpc/response', {}),
    { level: 'wire', bindings: ['GRPC'] },
  ),
];

export default mutations;
