import type { DecodedExchange, PartView } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { sentMessage } from '../sent-message.ts';
import { bare, covers, inputModes } from './offered-modes.ts';

const card = getCard(v1.card());
const skill = { id: 'see', name: 'See', description: 'Looks at pictures', tags: ['pictures'] };
const params = (mediaType: string) => ({
  message: v1.message('see the file', {
    parts: [{ url: 'https://files.example/a', mediaType }],
  }),
});
const result = { task: v1.task('COMPLETED') };

export default defineRule({
  id: 'GUIDE-017',
  level: 'INFO',
  party: 'client',
  summary: 'A client sends media types that the card says the agent takes.',
  spec: {
    '0.3': 'Guide: Implementing a client',
    '1.0': 'Guide: Implementing a client',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { other: 'The message has a part of {mode}, and the card that the client fetched names {taken}' },
  why: 'The agent refuses the message, or leaves the part out without a word. An agent may take more than its card says, so it is noted only.',
  fix: 'Choose among the input modes of the skill, or the default ones, and convert the content before sending it.',
  examples: {
    good: [
      [card, rpc({ method: 'SendMessage', params: params('text/plain'), result })],
      ...['image/*', '*/*'].map((mode) => [
        getCard(v1.card({ defaultInputModes: [mode] })),
        rpc({ method: 'SendMessage', params: params('image/png'), result }),
      ]),
      // What one skill takes, the agent takes.
      [
        getCard(v1.card({ skills: [{ ...skill, inputModes: ['Image/PNG'] }] })),
        rpc({ method: 'SendMessage', params: params('image/png'), result }),
      ],
      [
        card,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params('text/plain; charset=utf-8'),
          response: result,
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'SendMessage', params: params('image/png'), result })],
      [card, rpc({ method: 'SendMessage', params: { message: v1.message('hello') }, result })],
    ],
    bad: [
      {
        example: [card, rpc({ method: 'SendMessage', params: params('image/png'), result })],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    labelledParts(exchange).length > 0 && inputModes(exchange, conversation).size > 0,
  check: (exchange, { conversation, report }) => {
    const taken = inputModes(exchange, conversation);
    for (const { mediaType = '', pointer } of labelledParts(exchange)) {
      if (covers(taken, bare(mediaType))) continue;
      report('other', {
        data: { mode: bare(mediaType), taken: [...taken].slice(0, 10).join(', ') },
        at: { side: 'request', pointer },
        expected: 'a media type of the card',
        actual: mediaType,
      });
    }
  },
});

const labelledParts = (exchange: DecodedExchange): readonly PartView[] =>
  (sentMessage(exchange)?.message.parts ?? []).filter(({ mediaType }) => Boolean(mediaType));
