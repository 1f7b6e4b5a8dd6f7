import { isTerminal } from '@plugfest/a2a';
import type { Conversation, TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, timed, v1 } from '@plugfest/verifier/examples';
import { type ShownStream, streamsOf } from '../open-streams.ts';

type Event = ReturnType<typeof v1.statusUpdate>;
const working = { task: v1.task('WORKING') };
const [a, b, done] = [
  v1.artifactUpdate('one', { artifact: v1.artifact('one') }),
  v1.artifactUpdate('two', { artifact: v1.artifact('two', { artifactId: 'artifact-2' }) }),
  v1.statusUpdate('COMPLETED'),
];
const first = timed(
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [working, a, b, done],
  }),
  1,
  [2, 5, 6, 7],
);
const second = (...events: readonly Event[]) =>
  timed(
    rpcStream({ method: 'SubscribeToTask', params: { id: 'task-1' }, events: [working, ...events] }),
    3,
    [4, 5, 6, 7],
  );

export default defineRule({
  id: 'SSE-018',
  level: 'MUST',
  party: 'server',
  summary: 'Streams of one task that are open at the same time bring the same events in the same order.',
  spec: { '1.0': '3.5.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    order: 'Two streams of task {task} bring the same events in another order',
    missing: 'The stream misses an event of task {task} that another one, open at the same time, brought',
  },
  why: 'Who watches a task on the second screen sees another story than on the first; an artifact that is put together from such chunks is broken.',
  fix: 'Give every event to all streams of its task from one queue, and keep its order for each.',
  examples: {
    good: [
      [first, second(a, b, done)],
      [
        first,
        timed(
          restStream({ verb: 'POST', path: '/tasks/task-1:subscribe', events: [working, b, done] }),
          3,
          [4, 6, 7],
        ),
      ],
    ],
    skip: [
      [first],
      [
        first,
        timed(
          rpcStream({
            method: 'SubscribeToTask',
            params: { id: 'task-1' },
            events: [working],
            end: 'client-abort',
          }),
          3,
          [4],
        ),
      ],
    ],
    bad: [
      { example: [first, second(b, a, done)], messages: ['order'] },
      { example: [first, second(a, done)], messages: ['missing'] },
    ],
  },
  when: (task, { conversation }) => {
    const pairs = concurrentStreams(task);
    if (pairs.length === 0) return false;
    return pairs.some((pair) => !isCut(pair, conversation)) ? true : 'undecidable';
  },
  check: (task, { conversation, report }) => {
    for (const pair of concurrentStreams(task)) {
      if (isCut(pair, conversation)) continue;
      const [earlier, later] = [pair.earlier, pair.later].map(({ looks }) => looks.filter(isUpdate));
      if (earlier === undefined || later === undefined) continue;
      const expected = earlier.slice(earlier.length - later.length);
      const different = later.findIndex((look, i) => !isSame(look, expected[i]));
      if (earlier.length >= later.length && different === -1) continue;
      const shorter = earlier.length < later.length ? pair.earlier : pair.later;
      const at = earlier.length < later.length ? shorter.looks[0] : later[different];
      if (at === undefined) continue;
      const { exchange, side, event, pointer } = at;
      report(isReordered(later, expected) ? 'order' : 'missing', {
        exchange,
        at: { side, pointer, ...(event === undefined ? {} : { event }) },
        data: { task: task.id },
        expected: 'the events that the other stream brought',
      });
    }
  },
});

interface Pair {
  readonly earlier: ShownStream;
  readonly later: ShownStream;
}

/** Streams compared with each other; a task that is watched by hundreds is judged by the first few. */
const comparedStreams = 16;

/**
 * The first stream of a task with each one that was opened while it was open, where both went on to the end of
 * the task: the later one then brings the end of what the earlier one brought, from its snapshot on.
 */
function concurrentStreams(task: TaskHistory): readonly Pair[] {
  if ((task.streams?.length ?? 0) < 2) return [];
  const whole = streamsOf(task)
    .filter(({ stream, looks }) => stream.complete && looks.some(({ state }) => isTerminal(state)))
    .filter(({ looks }) => looks.every(({ version }) => version === '1.0'))
    .slice(0, comparedStreams);
  const [earlier, ...others] = whole;
  if (earlier === undefined) return [];
  const last = lastUpdate(earlier);
  return others.flatMap((later) => {
    const snapshot = later.looks[0];
    const isOpen =
      last !== undefined &&
      snapshot?.kind === 'task' &&
      snapshot.atNs < last.atNs &&
      earlier.looks[0] !== undefined &&
      earlier.looks[0].atNs < later.stream.exchange.startNs;
    return isOpen && lastUpdate(later) !== undefined ? [{ earlier, later }] : [];
  });
}

const isUpdate = ({ kind }: TaskObservation): boolean => kind !== 'task';
const lastUpdate = ({ looks }: ShownStream): TaskObservation | undefined => looks.findLast(isUpdate);

const isCut = ({ earlier, later }: Pair, conversation: Conversation): boolean =>
  conversation.gapBetween(
    earlier.stream.exchange.startNs,
    Math.max(earlier.stream.endedAtNs ?? 0, later.stream.endedAtNs ?? 0),
  );

/** The same event, as far as bindings show it alike: files and data may be written in several ways. */
function isSame(one: TaskObservation, other: TaskObservation | undefined): boolean {
  return other !== undefined && signatureOf(one) === signatureOf(other);
}

function signatureOf({ kind, state, artifacts, append, lastChunk }: TaskObservation): string {
  const pieces = (artifacts ?? []).map(({ artifactId, parts }) => [
    artifactId,
    parts.map((part) => (part.kind === 'text' ? part.digest : part.kind)),
  ]);
  return JSON.stringify([kind, state, append, lastChunk, pieces]);
}

function isReordered(one: readonly TaskObservation[], other: readonly TaskObservation[]): boolean {
  const sorted = (looks: readonly TaskObservation[]): string => looks.map(signatureOf).sort().join();
  return sorted(one) === sorted(other);
}
