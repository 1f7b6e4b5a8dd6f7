import { defineRule } from '@plugfest/verifier';
import { getCard, grpc, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
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
/** A card of one interface a line: binding, version, and the URL, which may be missing. */
const listing = (...interfaces: readonly (readonly [binding: string, version: string, url?: string])[]) =>
  getCard(
    v1.card({
      supportedInterfaces: interfaces.map(([protocolBinding, protocolVersion, url]) => ({
        ...(url === undefined ? {} : { url: `https://agent.example/${url}` }),
        protocolBinding,
        protocolVersion,
      })),
    }),
  );
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
      // It has spoken 1.0, and not what comes first here; and without a URL there is nothing to call.
      [...spoken, listing(['JSONRPC', '0.3', 'a2a'], ['HTTP+JSON', '1.0', 'rest']), restGet],
      [...spoken, listing(['JSONRPC', '1.0'], ['HTTP+JSON', '1.0', 'rest']), restGet],
      // No interface of the card is called.
      [
        ...spoken,
        getCard(v1.card()),
        rest({
          verb: 'GET',
          base: 'https://agent.example/elsewhere',
          path: '/tasks/task-1',
          response: v1.task('WORKING'),
        }),
      ],
    ],
    bad: [
      { example: [...spoken, getCard(v1.card()), restGet], messages: ['later'], outcomes: ['warn'] },
      { example: [...spokenToo, getCard(grpcLast), byGrpc], messages: ['later'], outcomes: ['warn'] },
      // What is called is the last entry: the first is for calls of 0.3.
      {
        example: [
          ...spoken,
          listing(['JSONRPC', '0.3', 'a2a'], ['HTTP+JSON', '1.0', 'rest'], ['JSONRPC', '1.0', 'a2a']),
          rpc(get),
        ],
        messages: ['later'],
      },
      // The card of 0.3 is another one.
      { example: [...spoken, getCard(v1.card()), getCard(v03.card()), restGet], messages: ['later'] },
    ],
  },
  when: (exchange, { conversation }) => firstCall(exchange, conversation)?.hadChoice === true,
  check: (exchange, { conversation, report }) => {
    const call = firstCall(exchange, conversation);
    const preferred = call?.passedOver[0];
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
