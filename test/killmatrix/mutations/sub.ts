import { v1 } from '@plugfest/verifier/examples';
import { statusEvent } from '../episodes/words.ts';
import { type Mutation, server } from '../mutation.ts';

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
];

export default mutations;
