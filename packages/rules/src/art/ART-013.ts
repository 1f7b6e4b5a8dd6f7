import type { Payload } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpcStream, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';

const part = (text: string) => [{ type: 'text', text }];
const chunk = (artifact: Readonly<Record<string, Json>>, more: Readonly<Record<string, Json>> = {}) => ({
  id: 'mine-1',
  artifact: { parts: part('hi'), ...artifact },
  ...more,
});
const stream = (...chunks: readonly ReturnType<typeof chunk>[]) =>
  rpcStream({
    version: '0.3',
    method: 'tasks/sendSubscribe',
    params: { id: 'mine-1', sessionId: 's-1', message: { role: 'user', parts: part('hello') } },
    events: [
      { id: 'mine-1', status: { state: 'working', timestamp: '2026-01-01T00:00:02Z' }, final: false },
      ...chunks,
      { id: 'mine-1', status: { state: 'completed', timestamp: '2026-01-01T00:00:09Z' }, final: true },
    ],
  });

const flags = ['append', 'lastChunk'] as const;

export default defineRule({
  id: 'ART-013',
  level: 'MUST',
  party: 'server',
  summary: 'In 0.1 chunks belong together by `index`, and their flags are members of the artifact.',
  spec: { '0.1': '6.7' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    outside: '`{flag}` stands beside the artifact, not in it',
    index: 'The `index` of the artifact is {found}',
    orphan: 'The chunk is to be appended to artifact {index}, of which nothing was sent before',
  },
  why: 'A 0.1 client looks for flags and index in the artifact: without them each chunk replaces the one before.',
  fix: 'Put `index`, `append` and `lastChunk` into the artifact, and start each index with a chunk that is not appended.',
  examples: {
    good: [
      [
        stream(
          chunk({ index: 0, append: false }),
          chunk({ index: 0, append: true, lastChunk: true }),
          chunk({ index: 1 }),
        ),
      ],
      // Without it the index is 0.
      [stream(chunk({}), chunk({ append: true, lastChunk: true }))],
    ],
    skip: [
      [stream()],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.artifactUpdate('hi'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    bad: [
      { example: [stream(chunk({ index: 0 }, { lastChunk: true }))], messages: ['outside'] },
      { example: [stream(chunk({ index: 'first' }))], messages: ['index'] },
      { example: [stream(chunk({ index: 0 }), chunk({ index: 1, append: true }))], messages: ['orphan'] },
    ],
  },
  when: ({ payloads }) => chunksIn(payloads).length > 0,
  check: ({ payloads, operation }, { report }) => {
    const begun = new Set<Json>();
    for (const payload of chunksIn(payloads)) {
      const { value, artifact, append } = payload.update;
      for (const flag of flags)
        if (flag in value)
          report('outside', {
            data: { flag },
            at: placeOf(payload, `/${flag}`),
            expected: `/artifact/${flag}`,
          });
      const index = artifact?.value.index ?? 0;
      if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) {
        report('index', {
          data: { found: index },
          at: placeOf(payload, '/artifact/index'),
          expected: 'a whole number from 0 on',
          actual: index,
        });
        continue;
      }
      // What came before a subscription is not in its stream.
      if (append && !begun.has(index) && operation === 'SendStreamingMessage')
        report('orphan', {
          data: { index },
          at: placeOf(payload, '/artifact/append'),
          expected: 'a first chunk without `append`',
        });
      begun.add(index);
    }
  },
});

type Chunk = Payload & { readonly kind: 'artifactUpdate' };

const chunksIn = (payloads: readonly Payload[]): readonly Chunk[] =>
  payloads.filter(
    (payload): payload is Chunk => payload.side === 'response' && payload.kind === 'artifactUpdate',
  );
