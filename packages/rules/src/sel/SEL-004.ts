import { defineRule } from '@plugfest/verifier';
import { getCard, grpc, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { firstCall } from './preferred-interface.ts';

const card = getCard(
  v03.card({
    additionalInterfaces: [
      { url: 'https://agent.example/a2a', transport: 'JSONRPC' },
      { url: 'https://agent.example/rest', transport: 'HTTP+JSON' },
    ],
  }),
);
const get = {
  version: '0.3',
  method: 'tasks/get',
  params: { id: 'task-1' },
  result: v03.task('working'),
} as const;
const restGet = {
  verb: 'GET',
  path: '/v1/tasks/task-1',
  response: {
    id: 'task-1',
    contextId: 'ctx-1',
    status: { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:02.000Z' },
  },
} as const;
const spoken = [rpc({ ...get, to: 'another agent' }), restV03({ ...restGet, to: 'another agent' })];

const grpcGet = {
  version: '0.3',
  method: 'GetTask',
  request: { name: 'tasks/task-1' },
  response: restGet.response,
} as const;
const byGrpc = grpc(grpcGet);
const spokenToo = [rpc({ ...get, to: 'another agent' }), grpc({ ...grpcGet, to: 'another agent' })];
const interfaces = {
  JSONRPC: { url: 'https://agent.example/a2a', transport: 'JSONRPC' },
  GRPC: { url: 'https://agent.example:443', transport: 'GRPC' },
} as const;
const grpcCard = (preferred: keyof typeof interfaces) =>
  getCard(
    v03.card({
      url: interfaces[preferred].url,
      preferredTransport: preferred,
      additionalInterfaces: [interfaces.JSONRPC, interfaces.GRPC],
    }),
  );

export default defineRule({
  id: 'SEL-004',
  level: 'SHOULD',
  party: 'client',
  summary: 'A client that speaks the preferred transport of a 0.3 card uses the main URL.',
  spec: { '0.3': '5.6.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    additional: 'The client calls {called}, though it speaks {preferred}, the preferred transport, elsewhere',
  },
  why: 'The main URL is what the agent is built for; additional interfaces may be slower, or about to go.',
  fix: 'Look at `preferredTransport` first, and at `additionalInterfaces` only where it is not supported.',
  examples: {
    good: [
      [...spoken, card, rpc(get)],
      [...spokenToo, grpcCard('GRPC'), byGrpc],
    ],
    skip: [
      [card, restV03(restGet)],
      // It has spoken two of the additional ones, and not the preferred one.
      [
        restV03({ ...restGet, to: 'another agent' }),
        grpc({ ...grpcGet, to: 'another agent' }),
        getCard(
          v03.card({
            additionalInterfaces: [
              interfaces.JSONRPC,
              interfaces.GRPC,
              { url: 'https://agent.example/rest', transport: 'HTTP+JSON' },
            ],
          }),
        ),
        restV03(restGet),
      ],
      [getCard(v1.card()), rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [...spoken, card, restV03(restGet)], messages: ['additional'] },
      { example: [...spokenToo, grpcCard('JSONRPC'), byGrpc], messages: ['additional'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const call = firstCall(exchange, conversation);
    if (call === undefined) return false;
    return call.called.pointer === ''
      ? call.hadChoice
      : call.passedOver.some(({ pointer }) => pointer === '');
  },
  check: (exchange, { conversation, report }) => {
    const call = firstCall(exchange, conversation);
    // The main URL comes first.
    const preferred = call?.passedOver[0];
    if (call === undefined || preferred === undefined) return;
    report('additional', {
      data: {
        called: `${call.called.binding} at ${call.called.url}`,
        preferred: `${preferred.binding} at ${preferred.url}`,
      },
      at: { side: 'request' },
      expected: `${preferred.binding} at ${preferred.url}`,
    });
  },
});
