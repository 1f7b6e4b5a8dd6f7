import type { DecodedExchange } from '@plugfest/a2a';
import { headerValues, type JsonObject } from '@plugfest/model';
import type { Conversation, ServedCard } from '@plugfest/verifier';
import { askedVariant, defineRule, servedCard } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';

/** Request headers of which one decided the card: those that differed. */
function decidedBy(exchange: DecodedExchange, conversation: Conversation): readonly string[] {
  const now = servedCard(exchange);
  if (now === undefined) return [];
  const served = conversation.cardFetches.served(exchange);
  const asked = askedVariant(exchange);
  const differing = (other: ServedCard): readonly string[] => [
    ...(other.asked.a2aVersion === asked.a2aVersion ? [] : ['A2A-Version']),
    ...(other.asked.authorization === asked.authorization ? [] : ['Authorization']),
  ];
  // The same card for the same request before and after another card for another request: so it is not the time.
  const before = served.findIndex((each) => each.content === now.content && differing(each).length === 0);
  if (before !== -1) {
    const between = served.slice(before + 1).filter((each) => each.content !== now.content);
    const [other] = between;
    if (other !== undefined && between.every((each) => differing(each).length > 0)) return differing(other);
  }
  // A card of another protocol version for another `A2A-Version`.
  const other = served.findLast(
    (each) => each.version !== now.version && differing(each).join() === 'A2A-Version',
  );
  return other === undefined ? [] : differing(other);
}

const asking = (version: string, card: JsonObject, vary?: string) =>
  getCard(card, { headers: { 'A2A-Version': version }, responseHeaders: { Vary: vary } });
const member = v1.card({ description: 'Answers the questions of members' });
const plain = getCard(v1.card());
const asNewMember = { headers: { Authorization: 'Bearer t-1', 'A2A-Version': '1.0' } } as const;
const asMember = { headers: { Authorization: 'Bearer t-1' } } as const;

export default defineRule({
  id: 'CACHE-010',
  level: 'SHOULD',
  party: 'server',
  summary: 'A card that depends on a header of the request names that header in `Vary`.',
  spec: { '1.0': '8.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: { vary: 'The card depends on {header} of the request, which `Vary` does not name' },
  why: 'A cache gives the card of one client to the next, who cannot read its version or must not see it.',
  fix: 'Send `Vary` with the names of all request headers by which the card is chosen, with every answer at this URL.',
  examples: {
    good: [
      [asking('0.3', v03.card(), 'A2A-Version'), asking('1.0', v1.card(), 'Accept, a2a-version')],
      [asking('0.3', v03.card(), '*'), asking('1.0', v1.card(), '*')],
    ],
    skip: [
      [getCard(v1.card()), getCard(v1.card({ version: '1.2.4' }))],
      [asking('1.0', v1.card()), asking('1.1', v1.card())],
      [plain, getCard(member, asMember)],
      // Between the two the card changed for the same request, too; or it may be the time that changed it.
      [plain, getCard(member, asMember), getCard(v1.card({ version: '1.2.4' })), plain],
      [plain, getCard(member, asMember), getCard(v1.card({ version: '1.2.4' }))],
      [getCard(v1.card(), asMember), getCard(member, asMember), plain],
      // Another protocol version, asked for with other rights.
      [getCard(v03.card()), getCard(v1.card(), asMember)],
    ],
    bad: [
      { example: [asking('0.3', v03.card()), asking('1.0', v1.card())], messages: ['vary'] },
      {
        example: [getCard(v1.card()), getCard(member, asMember), getCard(v1.card())],
        messages: ['vary'],
      },
      {
        example: [getCard(v1.card({ version: '1.2.2' })), plain, plain, getCard(member, asMember), plain],
        messages: ['vary'],
      },
      { example: [plain, getCard(member, asNewMember), plain], messages: ['vary'] },
    ],
  },
  when: (exchange, { conversation }) => decidedBy(exchange, conversation).length > 0,
  check: (exchange, { conversation, report }) => {
    const names = decidedBy(exchange, conversation);
    const vary = headerValues(exchange.captured.response?.headers ?? [], 'vary')
      .flatMap((value) => value.split(','))
      .map((name) => name.trim().toLowerCase());
    if (vary.includes('*') || names.some((name) => vary.includes(name.toLowerCase()))) return;
    report('vary', {
      data: { header: names.join(' or ') },
      at: { side: 'response', header: 'vary' },
      expected: names.join(' or '),
    });
  },
});
