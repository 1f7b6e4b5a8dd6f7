import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { answerTo, declared } from '../declared-capability.ts';
import { refusalOf } from '../refusal.ts';

const declaring = v1.card({ capabilities: { streaming: true, extendedAgentCard: true } });
const call = { method: 'GetExtendedAgentCard', headers: { Authorization: 'Bearer t-1' } } as const;
const notConfigured = {
  code: -32007,
  message: 'Not configured',
  data: [v1.errorInfo('EXTENDED_AGENT_CARD_NOT_CONFIGURED')],
};

export default defineRule({
  id: 'XCARD-002',
  level: 'MUST',
  party: 'server',
  summary:
    'An agent that declares an extended card gives it, or says by ExtendedAgentCardNotConfiguredError that there is none.',
  spec: { '1.0': '3.1.11' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetExtendedAgentCard'],
  messages: { other: 'The agent declares an extended card and refuses it with {found}' },
  why: 'Told that the operation is not there, a client takes the agent for another version, and never asks again once the card is configured.',
  fix: 'Give the card, or answer ExtendedAgentCardNotConfiguredError (-32007) for as long as the capability is declared.',
  examples: {
    good: [
      [getCard(declaring), rpc({ ...call, result: declaring })],
      [getCard(declaring), rpc({ ...call, error: notConfigured })],
      [
        getCard(declaring),
        rest({
          verb: 'GET',
          path: '/extendedAgentCard',
          headers: call.headers,
          response: declaring,
          responseHeaders: { 'Cache-Control': 'private, max-age=300' },
        }),
      ],
    ],
    skip: [
      [rpc({ ...call, error: notConfigured })],
      [getCard(v1.card()), rpc({ ...call, error: notConfigured })],
    ],
    bad: [
      {
        example: [
          getCard(declaring),
          rpc({ ...call, error: { code: -32004, message: 'There is no such card' } }),
        ],
        messages: ['other'],
      },
      {
        example: [getCard(declaring), rpc({ ...call, error: { code: -32601, message: 'Method not found' } })],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    exchange.operation === 'GetExtendedAgentCard' &&
    declared('extendedCard', exchange, conversation) === true &&
    answerTo(exchange) !== undefined,
  check: (exchange, { report }) => {
    const found = answerTo(exchange);
    if (found === 'served' || found === 'ExtendedAgentCardNotConfiguredError') return;
    report('other', {
      data: { found },
      at: { side: 'response', pointer: refusalOf(exchange)?.pointer ?? '' },
      expected: 'the card, or ExtendedAgentCardNotConfiguredError',
      actual: found,
    });
  },
});
