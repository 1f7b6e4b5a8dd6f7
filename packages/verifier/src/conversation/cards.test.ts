import { describe, expect, it } from 'vitest';
import { getCard, rpc, v1 } from '../examples/index.ts';
import { conversationOf } from '../testing/conversation.ts';

type More = Parameters<typeof getCard>[1];

const at = (path: string) => `https://agent.example/${path}/.well-known/agent-card.json`;
const missing = (more: More = {}) => getCard({ detail: 'none' }, { status: 404, ...more });
const paths = (count: number) => Array.from({ length: count }, (_, i) => at(`${i}`));

describe('fetches of a card that were refused', () => {
  const statuses = (...answered: readonly number[]) => {
    const fetches = answered.map((status) => missing({ status, url: at(`${status}`) }));
    return [
      ...conversationOf(...fetches)
        .refusedCardFetches('agent')
        .values(),
    ].map(({ status }) => status);
  };

  it('are those that were answered with a client error', () => {
    expect(statuses(200, 304, 399, 400, 404, 499, 500, 503)).toEqual([400, 404, 499]);
  });

  it('are kept once for each path, the first one', () => {
    const fetches = [missing(), missing({ status: 401 }), missing({ from: 'another client' })];
    const conversation = conversationOf(...fetches);
    expect([...conversation.refusedCardFetches('agent')]).toMatchObject([
      ['/.well-known/agent-card.json', { status: 404, exchange: { id: 'x0' } }],
    ]);
    expect(conversation.refusedCardFetches('another agent').size).toBe(0);
    expect([...conversation.discoveries()].map(({ caller, refused }) => [caller, refused.length])).toEqual([
      ['client', 1],
      ['another client', 1],
    ]);
  });

  it('are kept of a bounded number of paths, the first ones', () => {
    const conversation = conversationOf(...paths(65).map((url) => missing({ url })));
    expect(conversation.refusedCardFetches('agent').size).toBe(64);
    const [discovery] = conversation.discoveries();
    expect(discovery?.refused.map(({ path }) => path)).toEqual(paths(64).map((url) => new URL(url).pathname));
  });
});

it('tells a card that was found from a document that was not one', () => {
  const [one, other] = conversationOf(getCard(v1.card()), missing({ from: 'another client' })).discoveries();
  expect([one?.found, other?.found]).toEqual([true, false]);
  expect(one?.refused).toEqual([]);
});

it('tells the extended card from the one that all may see', () => {
  const extended = rpc({ method: 'GetExtendedAgentCard', result: v1.card() });
  const conversation = conversationOf(extended, getCard(v1.card()), extended);
  const sightings = conversation.cards('agent');
  expect(sightings.map(({ extended: isExtended, path }) => [isExtended, path])).toEqual([
    [false, '/.well-known/agent-card.json'],
    [true, '/a2a'],
  ]);
  expect([...conversation.shownCards()]).toEqual([...sightings]);
});

it('finds equal cards again after ever new ones', () => {
  const others = Array.from({ length: 64 }, (_, i) => getCard(v1.card({ name: `Agent ${i}` })));
  const conversation = conversationOf(
    ...others.slice(0, 63),
    getCard(v1.card()),
    getCard(v1.card(), { from: 'b' }),
  );
  const [first, second] = conversation.cards('agent').slice(-2);
  expect(second?.card).toBe(first?.card);
  const forgotten = conversationOf(getCard(v1.card()), ...others, getCard(v1.card(), { from: 'b' }));
  const views = forgotten.cards('agent').filter(({ card }) => card.name === 'Example agent');
  expect(new Set(views.map(({ card }) => card)).size).toBe(views.length);
});
