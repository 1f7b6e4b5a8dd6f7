import type { CardView } from '@plugfest/a2a';
import type { Operation } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { cardsSeenByCaller } from '../seen-by-caller.ts';

type Capability = 'streaming' | 'pushNotifications' | 'extendedCard';

const needed: Readonly<Partial<Record<Operation, Capability>>> = {
  SendStreamingMessage: 'streaming',
  SubscribeToTask: 'streaming',
  CreateTaskPushNotificationConfig: 'pushNotifications',
  GetTaskPushNotificationConfig: 'pushNotifications',
  ListTaskPushNotificationConfigs: 'pushNotifications',
  DeleteTaskPushNotificationConfig: 'pushNotifications',
  GetExtendedAgentCard: 'extendedCard',
};
const names: Readonly<Record<Capability, string>> = {
  streaming: 'streaming',
  pushNotifications: 'pushNotifications',
  extendedCard: 'extendedAgentCard',
};

const needOf = (operation: Operation | undefined): Capability | undefined => operation && needed[operation];

const list = {
  method: 'ListTaskPushNotificationConfigs',
  params: { taskId: 'task-1' },
} as const;
const refused = {
  error: {
    code: -32003,
    message: 'Push notifications are not supported',
    data: [v1.errorInfo('PUSH_NOTIFICATION_NOT_SUPPORTED')],
  },
};

export default defineRule({
  id: 'SEL-005',
  level: 'SHOULD',
  party: 'client',
  summary: 'A client that has read the card calls no operation whose capability the card leaves undeclared.',
  spec: { '1.0': '3.3.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { undeclared: 'The client calls {operation}, but the card does not declare `{capability}`' },
  why: 'The agent has to refuse the call, so that it costs a round trip and an error that could have been foreseen.',
  fix: 'Look at `capabilities` first: poll where there is no streaming, and register no webhook where there is no push.',
  examples: {
    good: [
      [getCard(v1.card()), rpc({ ...list, result: { configs: [] } })],
      [
        getCard(v1.card()),
        rest({ verb: 'GET', path: '/tasks/task-1/pushNotificationConfigs', response: { configs: [] } }),
      ],
      // The extended card is the one that says so.
      [
        getCard(v1.card({ capabilities: { extendedAgentCard: true } })),
        rpc({
          method: 'GetExtendedAgentCard',
          headers: { Authorization: 'Bearer t-1' },
          result: v1.card({ capabilities: { extendedAgentCard: true, pushNotifications: true } }),
        }),
        rpc({ ...list, headers: { Authorization: 'Bearer t-1' }, result: { configs: [] } }),
      ],
    ],
    skip: [
      [rpc({ ...list, result: { configs: [] } })],
      [getCard(v03.card({ capabilities: {} })), rpc({ ...list, ...refused })],
      [getCard(v1.card()), rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        getCard(v03.card()),
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') }),
      ],
    ],
    bad: [
      {
        example: [getCard(v1.card({ capabilities: {} })), rpc({ ...list, ...refused })],
        messages: ['undeclared'],
      },
      {
        example: [getCard(v03.card()), getCard(v1.card({ capabilities: {} })), rpc({ ...list, ...refused })],
        messages: ['undeclared'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    needOf(exchange.operation) !== undefined &&
    cardsSeenByCaller(exchange, conversation).some(({ card }) => card.version === '1.0'),
  check: (exchange, { conversation, report }) => {
    const capability = needOf(exchange.operation);
    if (capability === undefined) return;
    const cards = cardsSeenByCaller(exchange, conversation).filter(({ card }) => card.version === '1.0');
    if (cards.some(({ card }: { card: CardView }) => card[capability])) return;
    report('undeclared', {
      data: { operation: exchange.operation, capability: names[capability] },
      at: { side: 'request' },
      expected: `capabilities.${names[capability]}`,
    });
  },
});
