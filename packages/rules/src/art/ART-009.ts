import { defineRule } from '@plugfest/verifier';
import { getCard, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { declaredOutputModes } from '../declared-modes.ts';
import { onceForEach } from '../last-exchange.ts';
import { isAccepted } from '../send/accepted-media.ts';
import { artifactsIn } from './artifacts.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const taskOf = (mediaType: string) =>
  v1.task('COMPLETED', { artifacts: [v1.artifact('', { parts: [{ text: '# 4', mediaType }] })] });

const get03 = (mimeType: string) =>
  rpc({
    version: '0.3',
    method: 'tasks/get',
    params: { id: 'task-1' },
    result: v03.task('completed', {
      artifacts: [
        v03.artifact('', { parts: [{ kind: 'file', file: { uri: 'https://files.example/a', mimeType } }] }),
      ],
    }),
  });

export default defineRule({
  id: 'ART-009',
  level: 'SHOULD',
  party: 'server',
  summary: 'Parts of artifacts have a media type that the card declares as output.',
  spec: { '0.2': '5.5', '0.3': '5.5', '1.0': '4.4.1, 4.4.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { undeclared: 'The part is of type {found}; the card declares {declared}' },
  why: 'Clients choose an agent by the formats that they can show: one that gives out others is chosen in vain.',
  fix: 'Declare every output format in `defaultOutputModes` or in the `outputModes` of the skill, or convert the part.',
  examples: {
    good: [
      [getCard(v1.card()), rpc({ ...get, result: taskOf('application/json') })],
      [getCard(v1.card()), rpc({ ...get, result: taskOf('Text/Plain; charset=utf-8') })],
      [
        getCard(v1.card({ defaultOutputModes: ['text/*'] })),
        rest({ verb: 'GET', path: '/tasks/task-1', response: taskOf('text/markdown') }),
      ],
      [getCard(v03.card()), get03('application/json')],
    ],
    skip: [
      [rpc({ ...get, result: taskOf('text/markdown') })],
      // Without a media type a part is what it is.
      [getCard(v1.card()), rpc({ ...get, result: v1.task('COMPLETED') })],
    ],
    bad: [
      {
        example: [getCard(v1.card()), rpc({ ...get, result: taskOf('text/markdown') })],
        messages: ['undeclared'],
      },
      {
        example: [getCard(v03.card()), get03('image/png')],
        messages: ['undeclared'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const typed = typedParts(exchange);
    if (typed.length === 0) return false;
    const modes = declaredOutputModes(conversation, exchange.captured.edge.callee);
    if (modes === undefined) return false;
    return modes.complete || typed.every(({ mediaType }) => isAccepted(modes.modes, mediaType))
      ? true
      : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const modes = declaredOutputModes(conversation, exchange.captured.edge.callee);
    const reported = new Set<string>();
    for (const { mediaType, at } of typedParts(exchange)) {
      const found = mediaType.toLowerCase();
      if (modes === undefined || isAccepted(modes.modes, mediaType) || reported.has(found)) continue;
      reported.add(found);
      report('undeclared', {
        data: { found, declared: modes.modes.join(', ') },
        at,
        expected: modes.modes.join(', '),
        actual: mediaType,
      });
    }
  },
});

/** The parts of artifacts in an answer that say of which media type they are. */
const typedParts = onceForEach(({ payloads }) =>
  artifactsIn(payloads).flatMap(({ artifact, at }) =>
    artifact.parts.flatMap(({ mediaType, pointer }) =>
      mediaType ? [{ mediaType, at: { ...at, pointer } }] : [],
    ),
  ),
);
