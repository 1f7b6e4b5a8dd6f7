import type { DecodedExchange } from '@plugfest/a2a';
import { headerValues, isJsonObject, type Json } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, grpc, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { cardsSeenByCaller } from '../seen-by-caller.ts';
import { isSend } from '../sent-message.ts';

const uri = 'https://extensions.example/billing/v1';
const card = getCard(
  v1.card({
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [{ uri, description: 'Billing', required: true }],
    },
  }),
);
const grpcCard = getCard(
  v1.card({
    supportedInterfaces: [{ url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [{ uri, description: 'Billing', required: true }],
    },
  }),
);
const params = { message: v1.message('hello') };
const result = { task: v1.task('COMPLETED') };
const required = {
  code: -32008,
  message: 'The billing extension is required',
  data: [v1.errorInfo('EXTENSION_SUPPORT_REQUIRED')],
};

export default defineRule({
  id: 'GUIDE-016',
  level: 'INFO',
  party: 'client',
  summary: 'An agent that requires an extension is called with that extension, or not at all.',
  spec: { '1.0': 'Guide: Extensions' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    without: 'The client calls without the extension {uri}, which the card that it fetched requires',
  },
  why: 'The agent has to refuse the call, and a client that finds this out only by errors cannot tell its user why the agent is of no use to it.',
  fix: 'Compare `capabilities.extensions` with what the client supports before the first call; name the URIs in `A2A-Extensions`, or choose another agent.',
  examples: {
    good: [
      [
        card,
        rpc({
          method: 'SendMessage',
          headers: { 'A2A-Extensions': `urn:example:trace, ${uri}` },
          params,
          result,
          responseHeaders: { 'A2A-Extensions': uri },
        }),
      ],
      [
        card,
        rest({
          verb: 'POST',
          path: '/message:send',
          headers: { 'A2A-Extensions': uri },
          body: params,
          response: result,
          responseHeaders: { 'A2A-Extensions': uri },
        }),
      ],
      [
        grpcCard,
        grpc({
          method: 'SendMessage',
          metadata: { 'a2a-extensions': uri },
          request: params,
          response: result,
        }),
      ],
    ],
    skip: [
      [getCard(v1.card()), rpc({ method: 'SendMessage', params, result })],
      [
        getCard(v1.card({ capabilities: { extensions: [{ uri: '', required: true }] } })),
        rpc({ method: 'SendMessage', params, result }),
      ],
      // What a card of 0.3 requires it does not require in 1.0.
      [
        getCard(v03.card({ capabilities: { extensions: [{ uri, required: true }] } })),
        rpc({ method: 'SendMessage', params, result }),
      ],
      [rpc({ method: 'SendMessage', params, result })],
    ],
    bad: [
      { example: [card, rpc({ method: 'SendMessage', params, error: required })], messages: ['without'] },
    ],
  },
  when: (exchange, { conversation }) => isSend(exchange) && requiredUris(exchange, conversation).size > 0,
  check: (exchange, { conversation, report }) => {
    const activated = new Set(
      headerValues(exchange.captured.request.headers, 'a2a-extensions').flatMap((value) =>
        value.split(',').map((each) => each.trim()),
      ),
    );
    for (const wanted of requiredUris(exchange, conversation)) {
      if (activated.has(wanted)) continue;
      report('without', {
        data: { uri: wanted },
        at: { side: 'request', header: 'a2a-extensions' },
        expected: wanted,
      });
    }
  },
});

/** Extensions that the public 1.0 card which the caller fetched last says clients have to support. */
function requiredUris(exchange: DecodedExchange, conversation: Conversation): ReadonlySet<string> {
  const { card: view } =
    cardsSeenByCaller(exchange, conversation).findLast(
      ({ card: seen, extended }) => !extended && seen.version === '1.0',
    ) ?? {};
  const capabilities = view?.value.capabilities;
  const extensions = isJsonObject(capabilities) ? capabilities.extensions : undefined;
  if (!Array.isArray(extensions)) return new Set();
  return new Set(
    extensions.flatMap((each: Json) =>
      isJsonObject(each) && each.required === true && typeof each.uri === 'string' && each.uri !== ''
        ? [each.uri]
        : [],
    ),
  );
}
