import type { DecodedExchange } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v03 } from '@plugfest/verifier/examples';
import { cardsNow } from '../declared-interfaces.ts';
import { configurationOf } from '../sent-message.ts';

/** The agent's card says that it is of 0.2.6 or later, where the member is optional. */
function isLater({ captured }: DecodedExchange, conversation: Conversation): boolean {
  return cardsNow(conversation, captured.edge.callee).some(({ card }) => {
    const version = card.value.protocolVersion;
    return typeof version === 'string' && /^(?:0\.2\.[6-9]|0\.[3-9]|[1-9])/.test(version);
  });
}

const send = (configuration: JsonObject) =>
  rpc({
    version: '0.3',
    method: 'message/send',
    headers: { 'A2A-Version': '0.2' },
    params: { message: v03.message('hello'), configuration },
    result: v03.task('completed'),
  });

export default defineRule({
  id: 'SEND-030',
  level: 'MUST',
  party: 'client',
  summary: 'Up to 0.2.5 the configuration of a send lists the output modes that the client accepts.',
  spec: { '0.2': '7.1.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { modes: 'The configuration has no `acceptedOutputModes`' },
  why: 'A server whose types were made from the schema refuses the send. From 0.2.6 on the member is optional and the traffic does not show the patch, so it is a warning.',
  fix: 'Add `acceptedOutputModes` with the media types that the client can show, or leave the configuration out.',
  examples: {
    good: [[send({ acceptedOutputModes: ['text/plain'], blocking: true })]],
    skip: [
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello'), configuration: { blocking: true } },
          result: v03.task('completed'),
        }),
      ],
      // By its card the agent is of a time when it is optional.
      ...['0.2.6', '0.3.0', '1.0'].map((protocolVersion) => [
        getCard(v03.card({ protocolVersion })),
        send({ blocking: true }),
      ]),
    ],
    bad: [
      { example: [send({ blocking: true })], messages: ['modes'], outcomes: ['warn'] },
      ...['0.2.5', '0.0.3'].map((protocolVersion) => ({
        example: [getCard(v03.card({ protocolVersion })), send({ blocking: true })],
        messages: ['modes'] as const,
      })),
    ],
  },
  when: (exchange, { conversation }) =>
    configurationOf(exchange) !== undefined && !isLater(exchange, conversation),
  check: (exchange, { report }) => {
    const modes = configurationOf(exchange)?.acceptedOutputModes;
    if (Array.isArray(modes)) return;
    report('modes', {
      outcome: 'warn',
      at: { side: 'request', pointer: '/params/configuration' },
      expected: 'acceptedOutputModes',
      actual: modes,
    });
  },
});
