import { defineRule } from '@plugfest/verifier';
import { getCard, rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { answerTo, declared } from '../declared-capability.ts';
import { refusalOf } from '../refusal.ts';

const silent = getCard(v1.card());
const probe = { method: 'GetExtendedAgentCard', purpose: 'probe' } as const;
const details = [v1.errorInfo('UNSUPPORTED_OPERATION')];

export default defineRule({
  id: 'XCARD-001',
  level: 'MUST',
  party: 'server',
  summary:
    'An agent whose card does not declare an extended card refuses to give one with UnsupportedOperationError.',
  spec: { '1.0': '3.1.11' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetExtendedAgentCard'],
  messages: {
    served:
      'The agent gives an extended card, though its card does not declare `capabilities.extendedAgentCard`',
    other: 'The agent does not declare an extended card and refuses it with {found}',
  },
  why: 'Clients look at the capability before they ask; where card and agent differ they miss skills, or log in for nothing.',
  fix: 'Declare `capabilities.extendedAgentCard`, or answer UnsupportedOperationError (-32004).',
  examples: {
    good: [
      [silent, rpc({ ...probe, error: { code: -32004, message: 'There is no such card', data: details } })],
      [
        silent,
        rest({
          verb: 'GET',
          path: '/extendedAgentCard',
          purpose: 'probe',
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'There is no such card', details),
        }),
      ],
    ],
    skip: [
      [rpc({ ...probe, error: { code: -32004, message: 'There is no such card' } })],
      [
        getCard(v1.card({ capabilities: { extendedAgentCard: true } })),
        rpc({ ...probe, headers: { Authorization: 'Bearer t-1' }, result: v1.card() }),
      ],
    ],
    bad: [
      { example: [silent, rpc({ ...probe, result: v1.card() })], messages: ['served'] },
      {
        example: [
          silent,
          rpc({
            ...probe,
            error: {
              code: -32007,
              message: 'Not configured',
              data: [v1.errorInfo('EXTENDED_AGENT_CARD_NOT_CONFIGURED')],
            },
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    exchange.operation === 'GetExtendedAgentCard' &&
    declared('extendedCard', exchange, conversation) === false &&
    answerTo(exchange) !== undefined,
  check: (exchange, { report }) => {
    const found = answerTo(exchange);
    if (found === 'UnsupportedOperationError') return;
    report(found === 'served' ? 'served' : 'other', {
      data: { found },
      at: { side: 'response', pointer: refusalOf(exchange)?.pointer ?? '' },
      expected: 'UnsupportedOperationError',
      actual: found,
    });
  },
});
