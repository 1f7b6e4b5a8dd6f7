import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { declaredExtensions, usedExtensions } from './artifact-extensions.ts';

const cite = 'https://extensions.example/citations/v1';
const card = v1.card({
  capabilities: { streaming: true, pushNotifications: true, extensions: [{ uri: cite }] },
});
const translate = 'https://extensions.example/translation/v1';
const withMore = v1.card({ capabilities: { extendedAgentCard: true } });
/** What is no text is no extension. */
const odd = v1.artifact('answer', { extensions: [7] });
const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const using = (uri: string) =>
  v1.task('COMPLETED', { artifacts: [v1.artifact('answer', { extensions: [uri] })] });

export default defineRule({
  id: 'ART-011',
  level: 'MUST',
  party: 'server',
  summary: 'The extensions of an artifact are ones that the card declares.',
  spec: { '1.0': '4.1.7, 4.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { undeclared: 'The artifact uses extension {uri}, which the card does not declare' },
  why: 'The client cannot have agreed to an extension that it was not told of, and does not know how to read the artifact.',
  fix: 'Declare the extension in `capabilities.extensions`, or make the artifact without it.',
  examples: {
    good: [
      [
        getCard({ ...card, capabilities: { extendedAgentCard: true, extensions: [{ uri: cite }] } }),
        rpc({ ...get, result: using(cite) }),
      ],
      [getCard(card), rpc({ ...get, result: using(cite) })],
      [getCard(card), rest({ verb: 'GET', path: '/tasks/task-1', response: using(cite) })],
    ],
    skip: [
      [rpc({ ...get, result: using(cite) })],
      // A card of an older version says nothing of 1.0; a card for members only may declare more.
      [getCard(v03.card()), rpc({ ...get, result: using(cite) })],
      [getCard(withMore), rpc({ ...get, result: using(cite) })],
      [getCard(v1.card()), rpc({ ...get, result: v1.task('COMPLETED', { artifacts: [odd] }) })],
      [getCard(card), rpc({ ...get, result: v1.task('COMPLETED') })],
    ],
    bad: [
      { example: [getCard(v1.card()), rpc({ ...get, result: using(cite) })], messages: ['undeclared'] },
      {
        example: [
          getCard(card),
          rpc({
            ...get,
            result: v1.task('COMPLETED', {
              artifacts: [
                v1.artifact('answer', { extensions: [translate] }),
                v1.artifact('more', { artifactId: 'artifact-2', extensions: [translate] }),
              ],
            }),
          }),
        ],
        messages: ['undeclared'],
      },
      {
        example: [
          getCard(v1.card({ capabilities: { extensions: [{ uri: cite }, { uri: `${cite}/more` }, {}, 7] } })),
          rpc({ ...get, result: using(translate) }),
        ],
        messages: ['undeclared'],
      },
      // The card for members does not declare it either.
      {
        example: [
          getCard(withMore),
          rpc({ method: 'GetExtendedAgentCard', headers: { Authorization: 'Bearer t-1' }, result: withMore }),
          rpc({ ...get, result: using(cite) }),
        ],
        messages: ['undeclared'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const used = usedExtensions(exchange);
    if (used.length === 0) return false;
    const declared = declaredExtensions(conversation, exchange.captured.edge.callee);
    if (declared === undefined) return false;
    return declared.complete || used.every(({ uri }) => declared.uris.has(uri)) ? true : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const declared = declaredExtensions(conversation, exchange.captured.edge.callee);
    const reported = new Set<string>();
    for (const { uri, at } of usedExtensions(exchange)) {
      if (declared === undefined || declared.uris.has(uri) || reported.has(uri)) continue;
      reported.add(uri);
      report('undeclared', {
        data: { uri },
        at,
        expected: [...declared.uris].join(', ') || 'no extension',
        actual: uri,
      });
    }
  },
});
