import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { acceptedModes } from '../sent-message.ts';
import { bare, outputModes } from './offered-modes.ts';

const send = (...acceptedOutputModes: readonly string[]) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('hello'), configuration: { acceptedOutputModes } },
    result: { task: v1.task('COMPLETED') },
  });
const card = getCard(v1.card());

export default defineRule({
  id: 'GUIDE-010',
  level: 'INFO',
  party: 'client',
  summary: 'A client asks for structured output where the agent offers it.',
  spec: {
    '0.2': 'Guide: Common mistakes, 5',
    '0.3': 'Guide: Common mistakes, 5',
    '1.0': 'Guide: Common mistakes, 5',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { prose: 'The client accepts {accepted} only, and the agent could give {offered}' },
  why: 'A program that reads prose gets another answer with every model. For a client that only shows the answer to people prose is just right, so it is noted only.',
  fix: 'Name `application/json` in `acceptedOutputModes` where a program goes on with the result.',
  examples: {
    good: [
      [card, send('text/plain', 'application/json')],
      [card, send('application/geo+json')],
      [card, send('text/plain', '*/*')],
      [card, send('application/*')],
      [
        card,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: {
            message: v1.message('hello'),
            configuration: { acceptedOutputModes: ['application/json'] },
          },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [
      [send('text/plain')],
      [getCard(v1.card({ defaultOutputModes: ['text/plain'] })), send('text/plain')],
    ],
    bad: [{ example: [card, send('text/plain')], messages: ['prose'] }],
  },
  when: (exchange, { conversation }) =>
    acceptedModes(exchange).length > 0 && structuredOffer(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const accepted = acceptedModes(exchange).map(bare);
    if (accepted.some((mode) => isStructured(mode) || mode.startsWith('*') || mode === 'application/*'))
      return;
    report('prose', {
      data: { accepted: accepted.join(', '), offered: structuredOffer(exchange, conversation) },
      at: {
        side: 'request',
        pointer: `${exchange.request.pointer}/configuration/acceptedOutputModes`,
      },
      expected: structuredOffer(exchange, conversation) ?? 'structured output',
    });
  },
});

const isStructured = (mode: string): boolean => mode === 'application/json' || mode.endsWith('+json');

function structuredOffer(exchange: DecodedExchange, conversation: Conversation): string | undefined {
  for (const mode of outputModes(exchange, conversation)) if (isStructured(mode)) return mode;
  return undefined;
}
