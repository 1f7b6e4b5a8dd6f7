import type { DecodedExchange } from '@plugfest/a2a';
import { withoutTrailingSlashes } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, v1, v03 } from '@plugfest/verifier/examples';
import { cardsSeenByCaller } from '../seen-by-caller.ts';

const tail = '/agent/authenticatedExtendedCard';

/** Paths that `{url}/../agent/authenticatedExtendedCard` can mean: a slash at the end of the URL counts, or not. */
function expectedPaths(url: string): readonly string[] {
  return [url, withoutTrailingSlashes(url)]
    .map((base) => URL.parse(`${base}/..${tail}`)?.pathname)
    .filter((path) => path !== undefined);
}

/** Where the 0.2 cards that the client has seen say that the extended card lies. */
function declaredPaths(exchange: DecodedExchange, conversation: Conversation): readonly string[] {
  return cardsSeenByCaller(exchange, conversation)
    .filter(({ card, extended }) => !extended && card.version === '0.2')
    .flatMap(({ card }) => {
      const { url } = card.value;
      return typeof url === 'string' && URL.canParse(url) ? expectedPaths(url) : [];
    });
}

const card = v03.card({
  protocolVersion: '0.2.6',
  url: 'https://agent.example/a2a/v1',
  supportsAuthenticatedExtendedCard: true,
  additionalInterfaces: undefined,
});
const open = getCard(card, { url: 'https://agent.example/.well-known/agent.json' });
const get = (path: string, more: { readonly verb?: string; readonly status?: number } = {}) =>
  rest({
    base: 'https://agent.example',
    verb: 'GET',
    path,
    headers: { 'A2A-Version': undefined, Authorization: 'Bearer t-1' },
    responseHeaders: { 'Content-Type': 'application/json', 'Cache-Control': 'private' },
    response: card,
    ...more,
  });

export default defineRule({
  id: 'XCARD-013',
  level: 'MUST',
  party: 'client',
  summary:
    'The extended card of 0.2 is got by GET from `agent/authenticatedExtendedCard`, beside the URL of the card.',
  spec: { '0.2': '7.10' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  about: ['GetExtendedAgentCard'],
  messages: {
    verb: 'The client asks for the extended card by {verb} instead of GET',
    path: 'The client asks for the extended card at {path} instead of {expected}',
  },
  why: 'At any other place there is nothing, or the card of another agent on the same host. (Where the agent serves it there all the same, it is a warning.)',
  fix: 'Take the last segment off the path of `url` in the public card, and put `agent/authenticatedExtendedCard` there.',
  examples: {
    good: [[open, get(`/a2a${tail}`)]],
    skip: [[get(`/a2a${tail}`)], [getCard(v1.card())]],
    bad: [
      { example: [open, get(`/a2a${tail}`, { verb: 'POST', status: 405 })], messages: ['verb'] },
      { example: [open, get(tail, { status: 404 })], messages: ['path'], outcomes: ['fail'] },
      { example: [open, get(`/a2a/v1${tail}`)], messages: ['path'], outcomes: ['warn'] },
    ],
  },
  when: (exchange, { conversation }) =>
    exchange.operation === 'GetExtendedAgentCard' && declaredPaths(exchange, conversation).length > 0,
  check: (exchange, { conversation, report }) => {
    const { method: verb } = exchange.captured.request;
    const { path } = exchange.request;
    if (verb !== 'GET')
      report('verb', { data: { verb }, at: { side: 'request' }, expected: 'GET', actual: verb });
    const declared = declaredPaths(exchange, conversation);
    const [expected] = declared;
    if (declared.includes(path)) return;
    const isMissed = exchange.response?.status === 404;
    report('path', {
      data: { path, expected },
      at: { side: 'request' },
      ...(isMissed ? {} : { outcome: 'warn' as const }),
      ...(expected === undefined ? {} : { expected }),
      actual: path,
    });
  },
});
