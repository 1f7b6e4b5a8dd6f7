import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { cardWith, cite, declared, geo, geo2, isSibling, requested, requiredBy } from './extensions.ts';

const none: readonly string[] = [];

/** Extensions that the client asks for and the card does not declare, with nothing required at stake. */
function unsupported(exchange: DecodedExchange, conversation: Conversation): readonly string[] {
  const asked = requested(exchange);
  const inCard = asked.size === 0 ? undefined : declared(exchange, conversation);
  if (inCard === undefined) return none;
  const required = requiredBy(exchange, conversation);
  if (required.some((uri) => !asked.has(uri))) return [];
  return [...asked].filter((uri) => !inCard.has(uri) && !required.some((each) => isSibling(each, uri)));
}

/** The extension that a refusal is about; it has to name it, as any call may be refused for other reasons. */
function refused(exchange: DecodedExchange, uris: readonly string[]) {
  const error = refusalOf(exchange);
  if (error === undefined) return undefined;
  const text = JSON.stringify(error.value);
  const extension = uris.find((uri) => text.includes(uri));
  return extension === undefined ? undefined : { extension, pointer: error.pointer };
}

const card = getCard(cardWith({ uri: geo }));
const requiring = getCard(cardWith({ uri: geo, required: true }));
const get = {
  method: 'GetTask',
  params: { id: 'task-1' },
  headers: { 'A2A-Extensions': cite },
} as const;

export default defineRule({
  id: 'EXT-004',
  level: 'SHOULD',
  party: 'server',
  summary: 'An extension that the agent does not support is ignored; the call goes on without it.',
  spec: { '1.0': '4.6.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { refused: 'The agent refuses the call because of {extension}, which it does not support' },
  why: 'Clients send the extensions that they know to every agent; one that refuses them cannot be used at all.',
  fix: 'Leave unknown extensions inactive and out of `A2A-Extensions` of the answer, and serve the call.',
  examples: {
    good: [
      [card, rpc({ ...get, result: v1.task('WORKING') })],
      [
        card,
        rest({ verb: 'GET', path: '/tasks/task-1', headers: get.headers, response: v1.task('WORKING') }),
      ],
    ],
    skip: [
      [rpc({ ...get, result: v1.task('WORKING') })],
      [card, rpc({ ...get, headers: { 'A2A-Extensions': geo }, result: v1.task('WORKING') })],
      // Cards of older versions say nothing of 1.0.
      [getCard(v03.card()), rpc({ ...get, result: v1.task('WORKING') })],
      // An extension that is required is lacking, or there in another version: that decides first.
      [requiring, rpc({ ...get, result: v1.task('WORKING') })],
      [
        requiring,
        rpc({ ...get, headers: { 'A2A-Extensions': `${geo}, ${geo2}` }, result: v1.task('WORKING') }),
      ],
      [card, rpc({ ...get, error: { code: -32001, message: 'No such task' } })],
    ],
    bad: [
      {
        example: [
          card,
          rpc({ ...get, error: { code: -32004, message: `The extension ${cite} is not supported` } }),
        ],
        messages: ['refused'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const uris = unsupported(exchange, conversation);
    return uris.length > 0 && (wasServed(exchange) || refused(exchange, uris) !== undefined);
  },
  check: (exchange, { conversation, report }) => {
    const found = refused(exchange, unsupported(exchange, conversation));
    if (found === undefined) return;
    const { extension, pointer } = found;
    report('refused', {
      data: { extension },
      at: { side: 'response', pointer },
      expected: 'the call served without the extension',
    });
  },
});
