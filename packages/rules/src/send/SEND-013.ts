import type { DecodedExchange, PartView } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1 } from '@plugfest/verifier/examples';
import { cardsNow } from '../declared-interfaces.ts';
import { defaultModesOf, modesOf } from '../declared-modes.ts';
import { refusalOf, wasServed } from '../refusal.ts';
import { sentMessage } from '../sent-message.ts';
import { isAccepted } from './accepted-media.ts';

/** Every media type that a 1.0 card of the agent declares for input, of any skill; empty where one declares none. */
function inputModes({ captured }: DecodedExchange, conversation: Conversation): readonly string[] {
  const cards = cardsNow(conversation, captured.edge.callee);
  // An extended card that nobody fetched may allow more.
  if (cards.some(({ card }) => card.extendedCard) && !cards.some(({ extended }) => extended)) return [];
  if (cards.some(({ card }) => defaultModesOf(card.value, 'input').length === 0)) return [];
  return [...new Set(cards.flatMap(({ card }) => modesOf(card.value, 'input')))];
}

/** The first part whose media type the agent does not declare. A part without one says nothing. */
function strangePart(exchange: DecodedExchange, conversation: Conversation): PartView | undefined {
  const labelled = sentMessage(exchange)?.message.parts.filter(({ mediaType }) => Boolean(mediaType)) ?? [];
  if (labelled.length === 0) return undefined;
  const modes = inputModes(exchange, conversation);
  if (modes.length === 0) return undefined;
  return labelled.find(({ mediaType = '' }) => !isAccepted(modes, mediaType));
}

const card = getCard(v1.card());
const send = {
  method: 'SendMessage',
  params: { message: v1.message('look', { parts: [{ raw: 'AAAA', mediaType: 'video/mp4' }] }) },
} as const;
const plain = {
  message: v1.message('look', { parts: [{ text: 'look', mediaType: 'text/plain; charset=utf-8' }] }),
};
const error = {
  code: -32005,
  message: 'No videos here',
  data: [v1.errorInfo('CONTENT_TYPE_NOT_SUPPORTED')],
};

export default defineRule({
  id: 'SEND-013',
  level: 'SHOULD',
  party: 'server',
  summary:
    'A part of a media type that the agent does not declare is refused with ContentTypeNotSupportedError.',
  spec: { '1.0': '3.1.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    accepted: 'The agent goes ahead with a part of {found}, which its card does not declare for input',
  },
  why: 'The agent leaves out what it cannot read and answers all the same; the user believes that the file was looked at.',
  fix: 'Compare the media type of each part with the input modes, and answer ContentTypeNotSupportedError; or declare the type in the card.',
  examples: {
    good: [[card, rpc({ ...send, error })]],
    skip: [
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [card, rpc({ ...send, params: plain, result: { task: v1.task('COMPLETED') } })],
      // The extended card may allow it, or some skill; and a card without input modes says nothing.
      ...[
        { capabilities: { extendedAgentCard: true } },
        { skills: [{ id: 'watch', name: 'Watch', description: '', tags: [], inputModes: ['video/*'] }] },
        { defaultInputModes: [] },
      ].map((more) => [getCard(v1.card(more)), rpc({ ...send, result: { task: v1.task('COMPLETED') } })]),
    ],
    bad: [
      {
        example: [
          getCard(v1.card({ defaultInputModes: ['text/plain', 'image/*'], skills: undefined })),
          rpc({ ...send, result: { task: v1.task('COMPLETED') } }),
        ],
        messages: ['accepted'],
      },
      {
        example: [
          getCard(v1.card({ capabilities: { extendedAgentCard: true } })),
          rpc({
            method: 'GetExtendedAgentCard',
            result: v1.card({ capabilities: { extendedAgentCard: true } }),
          }),
          rpc({ ...send, result: { task: v1.task('COMPLETED') } }),
        ],
        messages: ['accepted'],
      },
      { example: [card, rpc({ ...send, result: { task: v1.task('COMPLETED') } })], messages: ['accepted'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const isAnswered = wasServed(exchange) || refusalOf(exchange)?.name === 'ContentTypeNotSupportedError';
    return isAnswered && strangePart(exchange, conversation) !== undefined;
  },
  check: (exchange, { conversation, report }) => {
    const part = strangePart(exchange, conversation);
    if (part === undefined || !wasServed(exchange)) return;
    report('accepted', {
      data: { found: part.mediaType },
      at: { side: 'request', pointer: `${part.pointer}/mediaType` },
      expected: inputModes(exchange, conversation).slice(0, 16).join(', '),
      actual: part.mediaType,
    });
  },
});
