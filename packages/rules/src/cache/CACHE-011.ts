import type { CardView, DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, grpc, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { goesTo } from '../called-interface.ts';
import { onceForEachIn } from '../last-exchange.ts';

/** How many cards back is looked: an agent that shows another card all the time must not make it slow. */
const lastCards = 12;

interface Cards {
  readonly open: CardView;
  readonly extended: CardView;
}

const declares = (card: CardView, exchange: DecodedExchange): boolean =>
  [...card.interfaces, ...card.legacyInterfaces].some((entry) => goesTo(exchange, entry));

const urlsOf = ({ interfaces }: CardView): string =>
  interfaces.map(({ url, rawBinding }) => `${JSON.stringify(rawBinding)} ${url}`).join();

/** The public card of a client and the extended one that it got afterwards, where they lead to different places. */
const cardsOf = onceForEachIn((exchange: DecodedExchange, conversation: Conversation): Cards | undefined => {
  if (exchange.operation === 'GetExtendedAgentCard') return undefined;
  const { caller, callee } = exchange.captured.edge;
  const all = conversation.cards(callee);
  if (!all.some(({ extended }) => extended)) return undefined;
  const seen = all
    .slice(-lastCards)
    .filter((sighting) => sighting.caller === caller && sighting.card.version === exchange.dialect?.version);
  // A public card that was fetched after the extended one starts another session, and is the last.
  const last = seen.at(-1)?.card;
  const open = seen.findLast(({ extended }) => !extended)?.card;
  if (last === undefined || open === undefined || urlsOf(open) === urlsOf(last)) return undefined;
  return { open, extended: last };
});

const headers = { Authorization: 'Bearer t-1' } as const;
const capabilities = { streaming: true, extendedAgentCard: true };
const open = getCard(v1.card({ capabilities }));
const members = v1.card({
  capabilities,
  supportedInterfaces: [
    { url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
});
const extended = rpc({ method: 'GetExtendedAgentCard', headers, result: members });
const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const restGet = rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') });
const open03 = v03.card({ supportsAuthenticatedExtendedCard: true });
const moved03 = {
  ...open03,
  url: 'https://agent.example/members',
  additionalInterfaces: [{ url: 'https://agent.example/members', transport: 'JSONRPC' }],
};

const extended03 = { version: '0.3', method: 'agent/getAuthenticatedExtendedCard', headers } as const;
const get03 = rpc({
  version: '0.3',
  method: 'tasks/get',
  params: { id: 'task-1' },
  result: v03.task('working'),
});
const atMembers = { ...get03, request: { ...get03.request, url: 'https://agent.example/members' } };
const grpcCall = {
  method: 'GetExtendedAgentCard',
  metadata: { authorization: 'Bearer t-1' },
  request: {},
} as const;
const grpcCall03 = { ...grpcCall, version: '0.3', method: 'GetAgentCard' } as const;
const grpcGet = grpc({ method: 'GetTask', request: { id: 'task-1' }, response: v1.task('WORKING') });
const grpcGet03 = grpc({
  version: '0.3',
  method: 'GetTask',
  request: { name: 'tasks/task-1' },
  response: {
    id: 'task-1',
    contextId: 'ctx-1',
    status: { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:02.000Z' },
  },
});
const byJsonRpc = {
  url: 'https://agent.example/a2a',
  protocolBinding: 'JSONRPC',
  protocolVersion: '1.0',
};
const byGrpc = { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' };
const openByGrpc = v1.card({ capabilities, supportedInterfaces: [byJsonRpc, byGrpc] });
const membersByGrpc = v1.card({ capabilities, supportedInterfaces: [byGrpc] });
const openByGrpc03 = v03.card({
  supportsAuthenticatedExtendedCard: true,
  additionalInterfaces: [
    { url: 'https://agent.example/a2a', transport: 'JSONRPC' },
    { url: 'https://agent.example:443', transport: 'GRPC' },
  ],
});
const membersByGrpc03 = v03.card({
  url: 'https://agent.example:443',
  preferredTransport: 'GRPC',
  additionalInterfaces: [{ url: 'https://agent.example:443', transport: 'GRPC' }],
});

export default defineRule({
  id: 'CACHE-011',
  level: 'SHOULD',
  party: 'client',
  summary: 'A client that got the extended card goes by it, not by the public card.',
  spec: { '0.2': '7.10', '0.3': '7.10', '1.0': '3.1.11' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    public:
      'The client calls {path}, which only the public card declares; its extended card declares {declared}',
  },
  why: 'The extended card may lead authenticated clients to other interfaces, with more skills or limits of their own.',
  fix: 'Put the extended card in the place of the public one for as long as the session lasts.',
  examples: {
    good: [
      [open, extended, restGet],
      [getCard(open03), rpc({ ...extended03, result: moved03 }), atMembers],
      [getCard(openByGrpc), grpc({ ...grpcCall, response: membersByGrpc }), grpcGet],
      [getCard(openByGrpc03), grpc({ ...grpcCall03, response: membersByGrpc03 }), grpcGet03],
    ],
    skip: [
      [open, rpc(get)],
      [open, rpc({ method: 'GetExtendedAgentCard', headers, result: v1.card({ capabilities }) }), rpc(get)],
      [open, extended, getCard(v1.card({ capabilities, version: '1.2.4' })), rpc(get)],
      // Asking for the extended card again.
      [open, extended, extended],
      // The public card of another client, or of another version.
      [getCard(v1.card({ capabilities }), { from: 'another client' }), extended, rpc(get)],
      [getCard(open03), extended, rpc(get)],
    ],
    bad: [
      { example: [open, extended, rpc(get)], messages: ['public'] },
      {
        example: [
          getCard(openByGrpc),
          grpc({ ...grpcCall, response: v1.card({ capabilities, supportedInterfaces: [byJsonRpc] }) }),
          grpcGet,
        ],
        messages: ['public'],
      },
      {
        example: [
          getCard(openByGrpc03),
          grpc({ ...grpcCall03, response: v03.card({ supportsAuthenticatedExtendedCard: true }) }),
          grpcGet03,
        ],
        messages: ['public'],
      },
      {
        example: [
          getCard(open03),
          rpc({ version: '0.3', method: 'agent/getAuthenticatedExtendedCard', headers, result: moved03 }),
          rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') }),
        ],
        messages: ['public'],
      },
    ],
  },
  when: (exchange, { conversation }) => cardsOf(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const cards = cardsOf(exchange, conversation);
    if (cards === undefined || declares(cards.extended, exchange) || !declares(cards.open, exchange)) return;
    const declared = cards.extended.interfaces.map(({ url }) => url).join(', ');
    const { path } = exchange.request;
    report('public', { data: { path, declared }, at: { side: 'request' }, expected: declared, actual: path });
  },
});
