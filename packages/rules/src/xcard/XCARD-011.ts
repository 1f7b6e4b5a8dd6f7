import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { publicCard } from '../auth/declared-security.ts';
import { wasServed } from '../refusal.ts';
import { cardsSeenByCaller } from '../seen-by-caller.ts';

const call = {
  version: '0.3',
  method: 'agent/getAuthenticatedExtendedCard',
  headers: { Authorization: 'Bearer t-1' },
} as const;
const declaring = v03.card({ supportsAuthenticatedExtendedCard: true });
const refused = { error: { code: -32601, message: 'Method not found' } } as const;

/** What the client knows: the 0.3 card that it fetched itself. */
const seenCard = (exchange: DecodedExchange, conversation: Conversation) =>
  cardsSeenByCaller(exchange, conversation).findLast(
    ({ card, extended }) => !extended && card.version === '0.3',
  )?.card;

export default defineRule({
  id: 'XCARD-011',
  level: 'MUST',
  party: 'sender',
  summary:
    'The extended card of 0.3 is asked for without parameters, and is there only where the public card declares it.',
  spec: { '0.3': '7.10' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['GetExtendedAgentCard'],
  messages: {
    params: 'The call for the extended card has parameters: {found}',
    undeclared: 'The client asks for an extended card, which the public card does not declare',
    served: 'The agent gives an extended card, which its public card does not declare',
  },
  why: 'Clients look at the flag before they ask: where card and agent differ they miss skills, or log in for nothing. (Parameters, and a question too many, do no harm, so those are warnings.)',
  fix: 'Ask without `params` and only where `supportsAuthenticatedExtendedCard` is true; the agent sets the flag where it has such a card.',
  examples: {
    good: [[getCard(declaring), rpc({ ...call, result: declaring })], [rpc({ ...call, result: declaring })]],
    skip: [
      [rpc({ method: 'GetExtendedAgentCard', headers: call.headers, result: v1.card() })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    bad: [
      {
        example: [rpc({ ...call, params: { id: 'card-1' }, result: declaring })],
        messages: ['params'],
        outcomes: ['warn'],
      },
      {
        example: [getCard(v03.card()), rpc({ ...call, ...refused })],
        messages: ['undeclared'],
        outcomes: ['warn'],
      },
      {
        example: [getCard(v03.card(), { from: 'another client' }), rpc({ ...call, result: declaring })],
        messages: ['served'],
        outcomes: ['fail'],
      },
    ],
  },
  when: ({ operation }) => operation === 'GetExtendedAgentCard',
  check: (exchange, { conversation, report }) => {
    const params = exchange.request.rpc?.params;
    const isEmpty =
      params === undefined || params === null || (isJsonObject(params) && Object.keys(params).length === 0);
    if (!isEmpty)
      report('params', {
        data: { found: params },
        at: { side: 'request', pointer: '/params' },
        outcome: 'warn',
        expected: 'no params',
        actual: params,
      });
    const expected = 'supportsAuthenticatedExtendedCard: true';
    if (seenCard(exchange, conversation)?.extendedCard === false)
      report('undeclared', { at: { side: 'request' }, outcome: 'warn', expected });
    if (wasServed(exchange) && publicCard(exchange, conversation)?.extendedCard === false)
      report('served', { at: { side: 'response' }, expected });
  },
});
