import { isTerminal } from '@plugfest/a2a';
import type { StreamSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';
import { shownState } from '../shown-state.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const first = v1.artifactUpdate('hel', { lastChunk: false });
const around = (...events: readonly (typeof first)[]) => [
  { task: v1.task('WORKING') },
  ...events,
  v1.statusUpdate('COMPLETED'),
];
const unfinished = around(first, v1.artifactUpdate('lo', { append: true, lastChunk: false }));
const finished = around(first, v1.artifactUpdate('lo', { append: true }));

export default defineRule({
  id: 'ART-007',
  level: 'SHOULD',
  party: 'server',
  summary: 'An artifact that is sent in chunks gets its `lastChunk: true` before the task is completed.',
  spec: { '0.2': '7.2.3', '0.3': '7.2.3', '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { unfinished: 'Artifact {id} came in {count} chunks, and none of them was the last one' },
  why: 'A client that hands an artifact on when it is complete waits for a chunk that does not come, or cannot tell a whole artifact from one that broke off.',
  fix: 'Set `lastChunk: true` on the chunk after which nothing more is appended.',
  examples: {
    good: [
      [rpcStream({ ...send, events: finished })],
      [restStream({ verb: 'POST', path: '/message:stream', body: params, events: finished })],
    ],
    skip: [
      [rpcStream({ ...send, events: around(first) })],
      [rpcStream({ ...send, events: unfinished.slice(0, -1), end: 'reset' })],
      // What failed may break off.
      [rpcStream({ ...send, events: [...unfinished.slice(0, -1), v1.statusUpdate('FAILED')] })],
    ],
    bad: [
      { example: [rpcStream({ ...send, events: unfinished })], messages: ['unfinished'] },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [
              v03.task('working'),
              v03.artifactUpdate('hel', { lastChunk: false }),
              v03.artifactUpdate('lo', { append: true, lastChunk: false }),
              v03.statusUpdate('completed'),
            ],
          }),
        ],
        messages: ['unfinished'],
      },
    ],
  },
  when: (stream, { conversation }) => {
    const chunks = chunkedUntilEnd(stream);
    if (chunks.size === 0) return false;
    // What the capture lost may be the last chunk.
    const lastNs = stream.payloads.at(-1)?.atNs ?? 0;
    const isCut = conversation.gapBetween(stream.exchange.captured.request.atNs, lastNs);
    return isCut && [...chunks.values()].some(({ ended }) => !ended) ? 'undecidable' : true;
  },
  check: (stream, { report }) => {
    for (const [id, { count, ended, last }] of chunkedUntilEnd(stream))
      if (!ended)
        report('unfinished', {
          data: { id, count },
          at: placeOf(last, '/lastChunk'),
          expected: '`lastChunk: true` on the last one',
        });
  },
});

interface Chunks {
  count: number;
  appended: boolean;
  ended: boolean;
  last: StreamSubject['payloads'][number];
}

/** The artifacts that a stream brought in chunks before the task was completed; nothing where it was not. */
function chunkedUntilEnd({ payloads }: StreamSubject): ReadonlyMap<string, Chunks> {
  const chunks = new Map<string, Chunks>();
  for (const payload of payloads) {
    const state = shownState(payload);
    if (isTerminal(state)) {
      // What failed or was cancelled may well break off.
      if (state !== 'TASK_STATE_COMPLETED') return new Map();
      for (const [id, { appended }] of chunks) if (!appended) chunks.delete(id);
      return chunks;
    }
    if (payload.kind !== 'artifactUpdate') continue;
    const { artifact, append, lastChunk } = payload.update;
    const id = artifact?.artifactId;
    if (id === undefined) continue;
    const before = append ? chunks.get(id) : undefined;
    chunks.set(id, {
      count: (before?.count ?? 0) + 1,
      appended: append,
      ended: lastChunk || before?.ended === true,
      last: payload,
    });
  }
  return new Map();
}
