import { defineRule } from '@plugfest/verifier';
import { getCard, grpc, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { firstCall } from './preferred-interface.ts';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const restGet = rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') });
/** The client has spoken JSON-RPC and HTTP+JSON before, with another agent. */
const spoken = [
  rpc({ ...get, to: 'another agent' }),
  rest({ verb: 'GET', path: '/tasks/task-1', to: 'another agent', response: v1.task('WORKING') }),
];

const byGrpc = grpc({ method: 'GetTask', request: { id: 'task-1' }, response: v1.task('WORKING') });
const spokenToo = [
  rpc({ ...get, to: 'another agent' }),
  grpc({
    method: 'GetTask',
    to: 'another agent',
    request: { id: 'task-1' },
    response: v1.task('WORKING'),
  }),
];
const byBoth = [
  { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
  { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
];
const grpcFirst = v1.card({ supportedInterfaces: byBoth });
const grpcLast = v1.card({ supportedInterfaces: byBoth.toReversed() });

export default defineRule({
  id: 'SEL-001',
  level: 'MUST',
  party: 'client',
  summary: 'A client calls the first interface of the card that it supports.',
  spec: { '1.0': '8.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    later:
      'The client calls {called}, though the card prefers {preferred}, which the client speaks elsewhere',
  },
  why: 'The order is the choice of the agent, which may mean to drop the later interfaces. (A client may be told to use another binding for this agent, so this is a warning.)',
  fix: 'Go through `supportedInterfaces` in order, and take the first entry whose binding and version the client has.',
  examples: {
    good: [
      [...spoken, getCard(v1.card()), rpc(get)],
      [...spokenToo, getCard(grpcFirst), byGrpc],
    ],
    skip: [
      // What else the client could have spoken is not known.
      [getCard(v1.card()), restGet],
      [...spoken, restGet],
      [getCard(v1.card()), rpc(get), restGet],
    ],
    bad: [
      { example: [...spoken, getCard(v1.card()), restGet], messages: ['later'], outcomes: ['warn'] },
      { example: [...spokenToo, getCard(grpcLast), byGrpc], messages: ['later'], outcomes: ['warn'] },
    ],
  },
  when: (exchange, { conversation }) => firstCall(exchange, conversation)?.hadChoice === true,
  check: (exchange, { conversation, report }) => {
    const call = firstCall(exchange, conversation);
    const [preferred] = call?.passedOver ?? [];
    if (call === undefined || preferred === undefined) return;
    report('later', {
      data: {
        called: `${call.called.binding} at ${call.called.url}`,
        preferred: `${preferred.binding} at ${preferred.url}`,
      },
      at: { side: 'request' },
      outcome: 'warn',
      expected: `${preferred.binding} at ${preferred.url}`,
    });
  },
});
