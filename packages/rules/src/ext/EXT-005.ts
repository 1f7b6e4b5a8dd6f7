import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import {
  getCard,
  grpc,
  grpcError,
  grpcStream,
  rest,
  restError,
  rpc,
  v1,
  v03,
} from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { isSend, sentMessage } from '../sent-message.ts';
import { cardWith, cite, extensionsOf, geo, requested, requiredBy } from './extensions.ts';

/** Required extensions that a send neither asks for nor uses. */
function lacking(exchange: DecodedExchange, conversation: Conversation): readonly string[] {
  if (!isSend(exchange)) return [];
  const asked = requested(exchange);
  // A message that names the extension declares support in its own way; that the header lacks it is for EXT-007 to say.
  const named = extensionsOf(sentMessage(exchange)?.message.value);
  return requiredBy(exchange, conversation).filter((uri) => !asked.has(uri) && !named.includes(uri));
}

/** On gRPC the code alone may be all there is: FAILED_PRECONDITION (section 5.4). */
function isRequiredError(exchange: DecodedExchange): boolean {
  const refusal = refusalOf(exchange);
  if (refusal?.name !== undefined) return refusal.name === 'ExtensionSupportRequiredError';
  return exchange.dialect?.binding === 'GRPC' && refusal?.code === 9;
}

const card = getCard(cardWith({ uri: geo, required: true }));
const send = {
  method: 'SendMessage',
  purpose: 'probe',
  params: { message: v1.message('Where am I?') },
} as const;
const served = { result: { task: v1.task('COMPLETED') } } as const;
const details = [v1.errorInfo('EXTENSION_SUPPORT_REQUIRED')];

export default defineRule({
  id: 'EXT-005',
  level: 'MUST',
  party: 'server',
  summary:
    'A message without an extension that the card requires is refused with ExtensionSupportRequiredError.',
  spec: { '1.0': '3.3.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    served: 'The agent serves a message that does not ask for {extensions}, which its card requires',
  },
  why: 'The client does not know the rules of the extension, so that the two misunderstand each other without an error.',
  fix: 'Check `A2A-Extensions` first, and answer ExtensionSupportRequiredError (-32008), or declare the extension as optional.',
  examples: {
    good: [
      [card, rpc({ ...send, error: { code: -32008, message: `${geo} is required`, data: details } })],
      [
        card,
        rest({
          verb: 'POST',
          path: '/message:send',
          purpose: 'probe',
          body: send.params,
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', `${geo} is required`, details),
        }),
      ],
    ],
    skip: [
      [getCard(cardWith({ uri: geo })), rpc({ ...send, ...served })],
      [card, rpc({ ...send, ...served, headers: { 'A2A-Extensions': geo } })],
      [
        card,
        rpc({ ...send, status: 401, responseText: '', responseHeaders: { 'WWW-Authenticate': 'Bearer' } }),
      ],
      [card, rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        card,
        rpc({ ...send, params: {}, error: { code: -32602, message: 'The message is missing' } }),
        // A code of gRPC says nothing over JSON-RPC.
        rpc({ ...send, error: { code: 9, message: 'FAILED_PRECONDITION' } }),
        grpcStream({
          method: 'SendStreamingMessage',
          purpose: 'probe',
          request: send.params,
          events: [],
          status: null,
        }),
      ],
      // What not every public card requires is not required of everybody.
      [card, getCard(cardWith({ uri: geo }), { from: 'another client' }), rpc({ ...send, ...served })],
      [
        rpc({ method: 'GetExtendedAgentCard', params: {}, result: cardWith({ uri: geo, required: true }) }),
        rpc({ ...send, ...served }),
      ],
      [
        getCard(v03.card({ capabilities: { extensions: [{ uri: geo, required: true }] } })),
        rpc({ ...send, ...served }),
      ],
    ],
    bad: [
      { example: [card, rpc({ ...send, ...served })], messages: ['served'] },
      {
        example: [
          card,
          grpcError({
            method: 'SendMessage',
            purpose: 'probe',
            request: send.params,
            status: 'FAILED_PRECONDITION',
          }),
          grpc({
            method: 'SendMessage',
            purpose: 'probe',
            request: send.params,
            response: served.result,
          }),
        ],
        messages: ['served'],
      },
      {
        example: [
          getCard(
            cardWith(
              { uri: geo, required: true },
              { uri: cite, required: true },
              { description: 'Without a URI', required: true },
            ),
          ),
          rpc({ ...send, ...served }),
        ],
        messages: ['served'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    lacking(exchange, conversation).length > 0 && (wasServed(exchange) || isRequiredError(exchange)),
  check: (exchange, { conversation, report }) => {
    if (!wasServed(exchange)) return;
    const extensions = lacking(exchange, conversation).join(', ');
    report('served', {
      data: { extensions },
      at: { side: 'response' },
      expected: 'ExtensionSupportRequiredError',
    });
  },
});
