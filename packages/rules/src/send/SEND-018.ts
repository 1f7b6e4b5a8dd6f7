import type { Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1 } from '@plugfest/verifier/examples';
import { declared } from '../declared-capability.ts';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { isSend } from '../sent-message.ts';

const without = getCard(v1.card({ capabilities: { streaming: true } }));
const send = {
  method: 'SendMessage',
  params: {
    message: v1.message('hello'),
    configuration: { taskPushNotificationConfig: v1.pushConfig({ taskId: undefined }) },
  },
  purpose: 'probe',
} as const;
const result = { task: v1.task('COMPLETED') };
const error = {
  code: -32003,
  message: 'No push notifications here',
  data: [v1.errorInfo('PUSH_NOTIFICATION_NOT_SUPPORTED')],
};

const hasInlineConfig = (exchange: Subjects['exchange']): boolean =>
  isSend(exchange) &&
  exchange.payloads.some((payload) => payload.side === 'request' && payload.kind === 'pushConfig');

export default defineRule({
  id: 'SEND-018',
  level: 'MUST',
  party: 'server',
  summary: 'A push config in a send is refused by an agent that declares no push notifications.',
  spec: { '1.0': '3.3.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  shown: 'push-config',
  messages: { dropped: 'The agent declares no push notifications, and takes a send with a push config' },
  why: 'The client waits for notifications that never come, and does not poll. Section 3.3.4 lists the four operations on configs and forgets the one inside a send, so it is a warning.',
  fix: 'Refuse the send with PushNotificationNotSupportedError (-32003), so that the client can send again and poll.',
  examples: {
    good: [[without, rpc({ ...send, error })]],
    skip: [
      [getCard(v1.card()), rpc({ ...send, result })],
      [without, rpc({ ...send, params: { message: v1.message('hello') }, result })],
      [rpc({ ...send, result })],
    ],
    bad: [{ example: [without, rpc({ ...send, result })], messages: ['dropped'], outcomes: ['warn'] }],
  },
  when: (exchange, { conversation }) => {
    if (!hasInlineConfig(exchange) || declared('pushNotifications', exchange, conversation) !== false)
      return false;
    const refusal = refusalOf(exchange);
    return refusal === undefined ? wasServed(exchange) : concernsOperation(refusal);
  },
  check: (exchange, { report }) => {
    if (!wasServed(exchange)) return;
    report('dropped', {
      outcome: 'warn',
      at: { side: 'response', pointer: '' },
      expected: 'PushNotificationNotSupportedError',
      actual: 'a result',
    });
  },
});
