import { v1 } from '@plugfest/verifier/examples';
import { statusEvent } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const grpc = { level: 'wire' as const, bindings: ['GRPC'] as const };

const mutations: readonly Mutation[] = [
  server('SUB-001', 'a subscription begins with a status', (session) =>
    session.set('subscribed', 'event0', statusEvent('watched', 'WORKING', 50)),
  ),
  server('SUB-002', 'a subscription to a finished task is refused for another reason', (session) =>
    session.set('late', 'error', {
      code: -32006,
      message: 'The agent failed',
      data: [v1.errorInfo('INVALID_AGENT_RESPONSE')],
    }),
  ),
  server('SUB-003', 'a subscription does not find a task that works', (session) => {
    session.drop('subscribed', 'response');
    session.set('subscribed', 'response', {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: {
        jsonrpc: '2.0',
        id: session.get('subscribed', 'request/body/id'),
        error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
      },
    });
  }),
  server(
    'SUB-004',
    'a subscription stays open after the end',
    (session) => session.set('subscribed', 'response/end', 'open'),
    {
      bindings: ['JSONRPC', 'HTTP+JSON'],
    },
  ),
  server('SUB-005', 'a subscription lacks an artifact that was shown before', (session) => {
    session.set('watched', 'response/sse/1/at', '2026-01-01T00:00:51.500Z');
    session.drop('subscribed', 'response/sse/1');
  }),
  client(
    'SUB-011',
    'a 0.1 subscription names no task',
    (session) => {
      session.drop('subscribed', 'request/body/params/id');
      session.fail('subscribed', { code: -32602, message: 'id is missing' });
    },
    { level: 'wire' },
  ),
  client('SUB-010', 'a client leaves a task that waits for an authorization', (session) =>
    session.without('waited', 'granted'),
  ),
  server(
    'SUB-009',
    'a subscription to a finished task of 0.3 is refused',
    (session) => {
      session.copy('tooLate', 'again');
      session.set('again', 'grpc/method', '/a2a.v1.A2AService/TaskSubscription');
    },
    { ...grpc, versions: ['0.3'] },
  ),
];

export default mutations;
