import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, unanswered, v1 } from '@plugfest/verifier/examples';
import { activated, cardWith, cite, declared, geo, geo2, isSibling, requested } from './extensions.ts';

const card = getCard(cardWith({ uri: geo }, { uri: cite }));
const get = (asked: string, active: string) =>
  rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    headers: { 'A2A-Extensions': asked },
    responseHeaders: { 'A2A-Extensions': active },
    result: v1.task('WORKING'),
  });

export default defineRule({
  id: 'EXT-003',
  level: 'MUST',
  party: 'server',
  summary: 'An agent activates only extensions that the client asked for and that its card declares.',
  spec: { '1.0': '4.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  messages: {
    unrequested: 'The agent activated {found}, which the client did not ask for',
    undeclared: 'The agent activated {found}, which its card does not declare',
  },
  why: 'A client that does not know the extension misreads what it changes; what the card leaves out nobody could plan for.',
  fix: 'Activate what is both in `A2A-Extensions` of the request and in the card, and repeat only that in the answer.',
  examples: {
    good: [
      [card, get(`${geo}, ${cite}`, geo)],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers: { 'A2A-Extensions': geo },
          responseHeaders: { 'A2A-Extensions': geo },
          response: v1.task('WORKING'),
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [unanswered(rpc({ method: 'GetTask', params: { id: 'task-1' }, headers: { 'A2A-Extensions': geo } }))],
    ],
    bad: [
      { example: [card, get(geo, `${geo}, ${cite}`)], messages: ['unrequested'] },
      { example: [card, get('', geo)], messages: ['unrequested'] },
      // That it has another version than one of those asked for is the matter of EXT-006, the other one is not.
      { example: [get(`${geo}, ${cite}`, `${geo2}, urn:example:audit`)], messages: ['unrequested'] },
      { example: [getCard(v1.card()), get(geo, geo)], messages: ['undeclared'] },
      {
        example: [
          getCard(cardWith({ uri: cite }, { uri: 'urn:example:audit' }, { description: 'Without a URI' })),
          get(geo, geo),
        ],
        messages: ['undeclared'],
      },
    ],
  },
  when: (exchange) => (activated(exchange)?.size ?? 0) > 0,
  check: (exchange, { conversation, report }) => {
    const asked = requested(exchange);
    const inCard = declared(exchange, conversation);
    for (const found of activated(exchange) ?? []) {
      const at = { side: 'response', header: 'A2A-Extensions' } as const;
      if (!asked.has(found)) {
        // Another version in its place is for EXT-006 to say.
        if ([...asked].some((uri) => isSibling(uri, found))) continue;
        report('unrequested', {
          data: { found },
          at,
          expected: asked.size === 0 ? 'no extensions' : [...asked].join(', '),
          actual: found,
        });
      } else if (inCard?.has(found) === false)
        report('undeclared', {
          data: { found },
          at,
          expected: inCard.size === 0 ? 'no extensions' : [...inCard].join(', '),
          actual: found,
        });
    }
  },
});
