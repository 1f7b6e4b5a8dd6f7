import { canonicalJson } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import type { CardSighting, CardSubject, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

/** How many cards back is looked: an agent that shows another card all the time must not make it slow. */
const lastCards = 8;

/** The public card that the same caller got last at the same place in the same cell, of the same `version`. */
function sameVersion(
  { exchange, card, extended }: CardSubject,
  conversation: Conversation,
): CardSighting | undefined {
  const { edge, cell } = exchange.captured;
  const { version } = card.value;
  if (extended || typeof version !== 'string') return undefined;
  return conversation
    .cards(edge.callee)
    .slice(-lastCards)
    .findLast(
      (seen) =>
        !seen.extended &&
        seen.caller === edge.caller &&
        seen.path === exchange.request.path &&
        seen.exchange.cell === cell &&
        seen.card.version === card.version &&
        seen.card.value.version === version,
    );
}

/** Content without signatures, which may be renewed, whatever the order of members. */
function contentOf({ signatures: _, ...card }: JsonObject): string {
  return canonicalJson(card) ?? JSON.stringify(card);
}

const tools = { skills: [{ id: 'tools', name: 'Tools', description: 'Uses tools', tags: ['tools'] }] };

export default defineRule({
  id: 'CARD-028',
  level: 'SHOULD',
  party: 'server',
  summary: 'A card that changes gets another `version`.',
  spec: { '1.0': '3.1.11' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { changed: 'The card has changed, but its `version` is still {version}: {members}' },
  why: 'Clients and caches go by `version` and keep the old card, with its old URLs and skills.',
  fix: 'Raise `version` whenever anything in the card changes.',
  examples: {
    good: [[getCard(v1.card()), getCard(v1.card())]],
    skip: [
      [getCard(v1.card())],
      [getCard(v1.card()), getCard(v1.card({ ...tools, version: '1.3.0' }))],
      [getCard(v1.card()), getCard(v1.card(tools), { from: 'another client' })],
      [
        getCard(v1.card()),
        rpc({
          method: 'GetExtendedAgentCard',
          headers: { Authorization: 'Bearer t-1' },
          result: v1.card(tools),
        }),
      ],
    ],
    bad: [{ example: [getCard(v1.card()), getCard(v1.card(tools))], messages: ['changed'] }],
  },
  when: (subject, { conversation }) => sameVersion(subject, conversation) !== undefined,
  check: (subject, { conversation, report }) => {
    const before = sameVersion(subject, conversation)?.card.value;
    const now = subject.card.value;
    if (before === undefined || JSON.stringify(before) === JSON.stringify(now)) return;
    if (contentOf(before) === contentOf(now)) return;
    const members = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
      (name) =>
        name !== 'signatures' &&
        canonicalJson({ member: before[name] ?? null }) !== canonicalJson({ member: now[name] ?? null }),
    );
    report('changed', {
      data: { version: now.version, members: members.slice(0, 8).join(', ') },
      at: inCard(subject, '/version'),
      expected: 'another version',
      actual: now.version,
    });
  },
});
