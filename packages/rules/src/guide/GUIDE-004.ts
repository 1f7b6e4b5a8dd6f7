import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';

const send = (to: string, token: string) =>
  rpc({
    to,
    method: 'SendMessage',
    headers: { Authorization: `Bearer ${token}` },
    params: { message: v1.message(`hello ${to}`) },
    result: { task: v1.task('COMPLETED') },
  });
const send03 = (to: string, token: string) =>
  rpc({
    version: '0.3',
    to,
    method: 'message/send',
    headers: { Authorization: `Bearer ${token}` },
    params: { message: v03.message(`hello ${to}`) },
    result: v03.task('completed'),
  });

export default defineRule({
  id: 'GUIDE-004',
  level: 'INFO',
  party: 'client',
  summary: 'A client has credentials of its own for each agent.',
  spec: {
    '0.1': 'Guide: Implementing a client',
    '0.2': 'Guide: Implementing a client',
    '0.3': 'Guide: Implementing a client',
    '1.0': 'Guide: Implementing a client',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { shared: 'The credentials for {agent} are those that {other} was called with' },
  why: 'Each of the agents can call the other in the name of the client. Agents of one operator may well share an audience, so it is noted only.',
  fix: 'Get a token for each agent, bound to it as its audience.',
  examples: {
    good: [
      [send('flights', 't-1'), send('hotels', 't-2')],
      [send03('flights', 't-1'), send03('hotels', 't-2')],
    ],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      { example: [send('flights', 't-1'), send('hotels', 't-1')], messages: ['shared'] },
      {
        example: [send('flights', 't-1'), send('hotels', 't-1'), send('hotels', 't-1')],
        messages: ['shared'],
      },
    ],
  },
  when: ({ captured }, { conversation }) => {
    const credentials = header(captured.request.headers, 'authorization');
    if (credentials === undefined) return false;
    const { caller, callee } = captured.edge;
    // Told once for each agent.
    return !conversation.usesOf(credentials).some((use) => use.caller === caller && use.agent === callee);
  },
  check: ({ captured }, { conversation, report }) => {
    const { caller, callee } = captured.edge;
    const uses = conversation.usesOf(header(captured.request.headers, 'authorization') ?? '');
    const other = uses.find((use) => use.caller === caller && use.agent !== callee);
    if (other === undefined) return;
    report('shared', {
      data: { agent: callee, other: other.agent },
      at: { side: 'request', header: 'authorization' },
      expected: 'credentials for this agent only',
    });
  },
});
