import type { TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, restStream, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { wasBornHere } from '../birth.ts';
import { placeOf } from '../life/steps.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const first = v1.artifactUpdate('hel', { lastChunk: false });
const rest1 = v1.artifactUpdate('lo', { append: true });
const around = (...events: readonly (typeof first)[]) => [
  { task: v1.task('WORKING') },
  ...events,
  v1.statusUpdate('COMPLETED'),
];

export default defineRule({
  id: 'ART-004',
  level: 'MUST',
  party: 'server',
  summary: 'A chunk with `append: true` continues an artifact that was sent before.',
  spec: { '0.2': '7.2.3', '0.3': '7.2.3', '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { unknown: 'The chunk is to be appended to artifact {id}, of which nothing was sent before' },
  why: 'Some clients drop such a chunk, some create the artifact: the start of the answer is there, or it is not. What a receiver has to do is not laid down yet, so this is a warning.',
  fix: 'Send the first chunk of an artifact without `append`, and the following ones with `append: true`.',
  examples: {
    good: [
      [rpcStream({ ...send, events: around(first, rest1) })],
      [restStream({ verb: 'POST', path: '/message:stream', body: params, events: around(first, rest1) })],
      [rpcStream({ method: 'SubscribeToTask', params: { id: 'task-1' }, events: around(first, rest1) })],
      // Deliveries may overtake each other.
      [deliver(rest1), deliver(first)],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [
            v03.task('working'),
            v03.artifactUpdate('hel', { lastChunk: false }),
            v03.artifactUpdate('lo', { append: true }),
            v03.statusUpdate('completed'),
          ],
        }),
      ],
    ],
    skip: [
      [rpcStream({ ...send, events: around(first) })],
      // What was sent before the subscription is not in the capture.
      [rpcStream({ method: 'SubscribeToTask', params: { id: 'task-1' }, events: around(rest1) })],
    ],
    bad: [
      { example: [rpcStream({ ...send, events: around(rest1) })], messages: ['unknown'] },
      { example: [rpcStream({ ...send, events: around(rest1, rest1) })], messages: ['unknown'] },
      // What a stream brings has its order.
      { example: [rpcStream({ ...send, events: around(rest1, first) })], messages: ['unknown'] },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [
              v03.task('working'),
              v03.artifactUpdate('hel', { append: true }),
              v03.statusUpdate('completed'),
            ],
          }),
        ],
        messages: ['unknown'],
      },
    ],
  },
  when: (task) => {
    if (!task.observations.some(({ append }) => append)) return false;
    return wasBornHere(task) || orphans(task).length === 0 ? true : 'undecidable';
  },
  check: (task, { report }) => {
    for (const { observation, id } of orphans(task))
      report('unknown', {
        ...placeOf(observation),
        outcome: 'warn',
        data: { id },
        expected: 'a first chunk without `append`',
      });
  },
});

/** Appended chunks of artifacts of which nothing had arrived: one for each artifact. */
function orphans({
  observations,
}: TaskHistory): { readonly observation: TaskObservation; readonly id: string }[] {
  const known = new Set<string | undefined>();
  // Deliveries may overtake each other: there a first chunk counts whenever it comes.
  const ever = new Set<string | undefined>();
  for (const { append, artifacts } of observations)
    if (!append) for (const { artifactId } of artifacts ?? []) ever.add(artifactId);
  const found: { observation: TaskObservation; id: string }[] = [];
  for (const observation of observations) {
    const before = observation.channel === 'webhook' ? ever : known;
    for (const { artifactId } of observation.artifacts ?? []) {
      if (observation.append && artifactId !== undefined && !before.has(artifactId))
        found.push({ observation, id: artifactId });
      known.add(artifactId);
      ever.add(artifactId);
    }
  }
  return found;
}
