import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const last = v1.artifactUpdate('hello');
const more = v1.artifactUpdate('again', { append: true });
const anew = v1.artifactUpdate('good bye');
const around = (...events: readonly (typeof last)[]) => [
  { task: v1.task('WORKING') },
  ...events,
  v1.statusUpdate('COMPLETED'),
];

export default defineRule({
  id: 'ART-006',
  level: 'MUST',
  party: 'server',
  summary: 'Nothing is appended to an artifact after its `lastChunk: true`.',
  spec: { '0.2': '7.2.3', '0.3': '7.2.3', '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { after: 'Event {event} appends to artifact {id}, whose last chunk was event {last}' },
  why: 'Clients hand an artifact on when its last chunk is there: what is appended later is left out of it.',
  fix: 'Set `lastChunk` on the chunk after which nothing is appended; to change an artifact later send it again as a whole.',
  examples: {
    good: [
      [
        rpcStream({
          ...send,
          events: around(
            v1.artifactUpdate('hel', { lastChunk: false }),
            v1.artifactUpdate('lo', { append: true }),
          ),
        }),
      ],
      [restStream({ verb: 'POST', path: '/message:stream', body: params, events: around(last, anew) })],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.artifactUpdate('hello'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    skip: [[rpcStream({ ...send, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] })]],
    bad: [
      { example: [rpcStream({ ...send, events: around(last, more) })], messages: ['after'] },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [
              v03.task('working'),
              v03.artifactUpdate('hello'),
              v03.artifactUpdate('again', { append: true }),
              v03.statusUpdate('completed'),
            ],
          }),
        ],
        messages: ['after'],
      },
    ],
  },
  when: ({ payloads }) =>
    payloads.some((payload) => payload.kind === 'artifactUpdate' && payload.update.lastChunk),
  check: ({ payloads }, { report }) => {
    /** Artifacts that are complete, with the event that said so. */
    const ended = new Map<string, number>();
    for (const payload of payloads) {
      if (payload.kind !== 'artifactUpdate') continue;
      const { artifact, append, lastChunk } = payload.update;
      const id = artifact?.artifactId;
      if (id === undefined) continue;
      const { event = 0, pointer } = payload;
      const before = ended.get(id);
      if (!append) ended.delete(id);
      else if (before !== undefined)
        report('after', {
          data: { event, id, last: before },
          at: { side: 'response', event, pointer },
          expected: 'no more chunks of this artifact',
        });
      if (lastChunk) ended.set(id, event);
    }
  },
});
