import type { Binding, Operation } from '@plugfest/model';
import type { Conversation, SpokenExchange } from '@plugfest/verifier';
import { defineRule, isMissingOperation } from '@plugfest/verifier';
import { getCard, grpcError, restV03, rpc, v03 } from '@plugfest/verifier/examples';
import { cardsNow } from '../declared-interfaces.ts';
import { wasServed } from '../refusal.ts';
import { reading } from './readings.ts';

const core: ReadonlySet<Operation | undefined> = new Set<Operation>(['SendMessage', 'GetTask', 'CancelTask']);

const cancel = { version: '0.3', method: 'tasks/cancel', params: { id: 'task-1' } } as const;
const missing = { code: -32601, message: 'Method not found' };
const cardOf = (transport: string) =>
  getCard(
    v03.card({
      preferredTransport: transport,
      additionalInterfaces: [{ url: 'https://agent.example/a2a', transport }],
    }),
  );

export default defineRule({
  id: 'EQV-006',
  level: 'MUST',
  party: 'server',
  summary: 'A 0.3 agent has send, get and cancel on at least one of its transports.',
  spec: { '0.3': '11.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { missing: '{operation} is there on none of the transports that the card declares' },
  why: 'A client that has started a task can neither ask for it nor stop it. In gRPC the same status stands for a version that is not supported, so there it is a warning.',
  fix: 'Implement `message/send`, `tasks/get` and `tasks/cancel`, on one transport at the least.',
  examples: {
    good: [[reading('0.3', 'JSONRPC')], [reading('0.3', 'HTTP+JSON')], [reading('0.3', 'GRPC')]],
    skip: [
      // Another transport may have it.
      [
        getCard(
          v03.card({ additionalInterfaces: [{ url: 'https://agent.example/rest', transport: 'HTTP+JSON' }] }),
        ),
        rpc({ ...cancel, error: missing }),
      ],
      [rpc({ ...cancel, error: missing })],
    ],
    bad: [
      { example: [cardOf('JSONRPC'), rpc({ ...cancel, error: missing })], messages: ['missing'] },
      {
        example: [
          cardOf('HTTP+JSON'),
          restV03({ verb: 'POST', path: '/v1/tasks/task-1:cancel', body: {}, status: 501, responseText: '' }),
        ],
        messages: ['missing'],
      },
      {
        example: [
          cardOf('GRPC'),
          grpcError({
            version: '0.3',
            method: 'CancelTask',
            request: { name: 'tasks/task-1' },
            status: 'UNIMPLEMENTED',
          }),
        ],
        messages: ['missing'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!core.has(exchange.operation)) return false;
    if (!isMissingOperation(exchange)) return wasServed(exchange);
    return isMissingEverywhere(exchange, conversation) ? true : 'undecidable';
  },
  check: (exchange, { report }) => {
    if (!isMissingOperation(exchange)) return;
    report('missing', {
      ...(exchange.dialect.binding === 'GRPC' ? { outcome: 'warn' as const } : {}),
      data: { operation: exchange.operation },
      at: { side: 'response' },
      expected: 'the operation',
    });
  },
});

/** No transport that the agent's 0.3 cards declare has the operation, as far as each of them was asked. */
function isMissingEverywhere(exchange: SpokenExchange, conversation: Conversation): boolean {
  const { captured, dialect, operation } = exchange;
  if (operation === undefined) return false;
  const agent = captured.edge.callee;
  const declared = new Set<Binding | undefined>(
    cardsNow(conversation, agent)
      .filter(({ card }) => card.version === '0.3')
      .flatMap(({ card }) => card.interfaces.map(({ binding }) => binding)),
  );
  const missing = conversation.missingOn(agent, dialect.version, operation);
  return (
    declared.size > 0 &&
    conversation.servedOn(agent, dialect.version, operation).size === 0 &&
    [...declared].every(
      (binding) => binding !== undefined && (binding === dialect.binding || missing.has(binding)),
    )
  );
}
