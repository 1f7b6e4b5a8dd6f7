import type { CardSubject, Conversation } from '@plugfest/verifier';
import { defineRule, payloadDigest } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { inCard } from '../card/card-place.ts';
import { entriesOf } from './checked-signatures.ts';
import { signatureOver, signedCard } from './signed-examples.ts';

const capabilities = { streaming: true, extendedAgentCard: true };
const open = signedCard({ capabilities });
const more = {
  capabilities,
  skills: [
    { id: 'answer', name: 'Answer', description: 'Answers a question', tags: ['questions'] },
    { id: 'audit', name: 'Audit', description: 'Lists all answers', tags: ['audit'] },
  ],
};
const headers = { Authorization: 'Bearer t-1' };
const call = { method: 'GetExtendedAgentCard', headers } as const;
const signatures = Array.isArray(open.signatures) ? open.signatures : [];
const other = signatureOver('{}');

/** Public cards that the agent showed before and that are signed. */
const publicCards = ({ exchange }: CardSubject, conversation: Conversation) =>
  conversation
    .cards(exchange.captured.edge.callee)
    .filter(({ card, extended }) => !extended && entriesOf({ card }).length > 0);

export default defineRule({
  id: 'SIGN-022',
  level: 'MUST',
  party: 'server',
  summary:
    'An extended card is signed over its own content: the signatures of the public card do not fit it.',
  spec: { '1.0': '8.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    reused: 'Signature {index} of the extended card is that of the public card, whose content is another',
  },
  why: 'The signature does not verify, so that clients drop the very card they logged in for.',
  fix: 'Sign the extended card when it is made, or serve it without signatures.',
  examples: {
    good: [
      [getCard(open), rpc({ ...call, result: signedCard(more) })],
      // An extended card may be the same.
      [getCard(open), rpc({ ...call, result: open })],
      [
        getCard(open),
        rest({
          verb: 'GET',
          path: '/extendedAgentCard',
          headers,
          response: signedCard(more),
          responseHeaders: { 'Cache-Control': 'private' },
        }),
      ],
    ],
    skip: [
      [getCard(open), rpc({ ...call, result: v1.card(more) })],
      [getCard(v1.card({ capabilities })), rpc({ ...call, result: signedCard(more) })],
    ],
    bad: [
      // One of several is reused, and one that is no signature is not.
      {
        example: [
          getCard({ ...open, signatures: [...signatures, other] }),
          rpc({ ...call, result: { ...open, ...more, signatures: [{ header: {} }, ...signatures] } }),
        ],
        messages: ['reused'],
      },
      {
        example: [getCard(open), rpc({ ...call, result: { ...open, ...more } })],
        messages: ['reused'],
      },
    ],
  },
  when: (subject, { conversation }) =>
    subject.extended && entriesOf(subject).length > 0 && publicCards(subject, conversation).length > 0,
  check: (subject, { conversation, report }) => {
    const others = publicCards(subject, conversation).filter(
      ({ card }) => payloadDigest(card) !== payloadDigest(subject.card),
    );
    for (const { index, pointer, protected: header, signature } of entriesOf(subject)) {
      if (header === undefined || signature === undefined) continue;
      const isReused = others.some(({ card }) =>
        entriesOf({ card }).some((each) => each.protected === header && each.signature === signature),
      );
      if (isReused)
        report('reused', {
          data: { index },
          at: inCard(subject, pointer),
          expected: 'a signature over the extended card',
        });
    }
  },
});
