import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { baseOf } from '../called-interface.ts';
import { interfacesSeenByCaller } from '../seen-by-caller.ts';
import { basePathsOf } from './base-path.ts';

const get = { verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') } as const;
const send = { verb: 'POST', body: { message: v1.message('hello') } } as const;
const card = getCard(v1.card());
const at = (...urls: readonly string[]) =>
  getCard(
    v1.card({
      supportedInterfaces: urls.map((url) => ({
        url,
        protocolBinding: 'HTTP+JSON',
        protocolVersion: '1.0',
      })),
    }),
  );
const missed = rest({ ...send, path: '/message:send', status: 404, responseText: '' });
const tenants = getCard(
  v1.card({
    supportedInterfaces: [
      {
        url: 'https://agent.example/rest/',
        protocolBinding: 'HTTP+JSON',
        protocolVersion: '1.0',
        tenant: 'blue',
      },
    ],
  }),
);

export default defineRule({
  id: 'REST-009',
  level: 'MUST',
  party: 'client',
  summary: 'HTTP+JSON paths are appended to the interface URL of the card, with no `/v1` of their own.',
  spec: { '1.0': '11.3' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    base: 'The client calls {path}; in the card HTTP+JSON is at {declared}',
    guess: 'The client calls {path} after it did not find the same call without `/v1`',
  },
  why: 'The `/v1` of 0.3 paths is gone in 1.0: where a server has it, it is a part of the URL in the card. A client that builds paths in another way reaches nothing, or another version of the agent.',
  fix: 'Take the URL of the interface from the card as it is, and append the path of the operation.',
  examples: {
    good: [
      [card, rest(get)],
      [tenants, rest({ ...get, path: '/blue/tasks/task-1' })],
      [at('https://agent.example/rest/v1', 'https://agent.example/rest'), rest(get)],
    ],
    skip: [
      [rest(get)],
      [card, rest({ verb: 'GET', path: '/v1/things/1', status: 404, responseText: '' })],
      // Another base is no guess of the version, and one that is right may be known from a card.
      [missed, rest({ ...send, path: '/v2/message:send', response: { task: v1.task('COMPLETED') } })],
      [
        getCard(v1.card(), { from: 'another client' }),
        missed,
        rest({ ...send, path: '/v1/message:send', response: { task: v1.task('COMPLETED') } }),
      ],
      [card, rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [card, rest({ ...get, path: '/v1/tasks/task-1' })], messages: ['base'] },
      {
        example: [at('https://agent.example/rest/v1', 'https://agent.example/other/v1'), rest(get)],
        messages: ['base'],
      },
      {
        example: [
          missed,
          rest({ ...send, path: '/v1/message:send', response: { task: v1.task('COMPLETED') } }),
        ],
        messages: ['guess'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const base = basePath(exchange);
    if (base === undefined) return false;
    return declaredFor(exchange, conversation).length > 0 || isGuess(exchange, base, conversation);
  },
  check: (exchange, { conversation, report }) => {
    const { path } = exchange.request;
    const declared = declaredFor(exchange, conversation);
    const base = basePath(exchange);
    if (base === undefined) return;
    const finding = { at: { side: 'request' }, actual: path } as const;
    if (declared.length === 0) {
      report('guess', { ...finding, data: { path }, expected: 'the interface URL of the card' });
      return;
    }
    if (declared.includes(base)) return;
    // Other places than with or without the version are the matter of SEL-002.
    const meant = declared.find((known) => base === `${known}/v1` || known === `${base}/v1`);
    if (meant === undefined) return;
    report('base', {
      ...finding,
      data: { path, declared: declared.map((known) => known || '/').join(', ') },
      expected: meant + path.slice(base.length),
    });
  },
});

const declaredFor = (exchange: DecodedExchange, conversation: Conversation): readonly string[] =>
  basePathsOf(interfacesSeenByCaller(exchange, conversation), '1.0');

/** The path before the operation's own part; undefined for what is no operation. */
function basePath({ wireMethod, request }: DecodedExchange): string | undefined {
  // Of `POST /v1/message:send`, `/v1` may be the base's.
  return wireMethod === undefined ? undefined : baseOf(request.path, wireMethod.replace(' /v1/', ' /'));
}

/** Without a card: the same call without `/v1` was tried before and missed. */
function isGuess({ captured, request }: DecodedExchange, base: string, conversation: Conversation): boolean {
  if (!base.endsWith('/v1')) return false;
  const without = base.slice(0, -'/v1'.length) + request.path.slice(base.length);
  return (
    conversation.cards(captured.edge.callee).length === 0 &&
    conversation.missedPaths(captured.edge.caller, captured.edge.callee).has(without)
  );
}
