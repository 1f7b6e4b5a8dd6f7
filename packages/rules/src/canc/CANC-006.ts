import { isInterrupted, isTerminal } from '@plugfest/a2a';
import type { Conversation, TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcStream, restStream, rpc, rpcStream, timed, v1 } from '@plugfest/verifier/examples';
import { type ShownStream, streamsOf } from '../open-streams.ts';

const params = { message: v1.message('hello') };
const working = { task: v1.task('WORKING') };
const stream = (...events: readonly ReturnType<typeof v1.statusUpdate>[]) =>
  timed(rpcStream({ method: 'SendStreamingMessage', params, events: [working, ...events] }), 1, [2, 6, 7]);
const chunk = v1.artifactUpdate('half');
const cancelling = { method: 'CancelTask', params: { id: 'task-1' } } as const;
const cancel = timed(rpc({ ...cancelling, result: v1.task('CANCELED') }), 4);

export default defineRule({
  id: 'CANC-006',
  level: 'MUST',
  party: 'server',
  summary: 'A stream that is open while its task is cancelled brings the cancelled status before it ends.',
  spec: { '1.0': '3.1.2, 3.5.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    ended: 'Task {task} was cancelled while the stream was open, and it ended without saying so',
    open: 'Task {task} was cancelled while the stream was open, and the stream goes on as if nothing had happened',
  },
  why: 'Whoever listens is not always who cancels: it waits for a result that will not come, or takes the end for a lost connection and subscribes again.',
  fix: 'Send the status update of the cancellation to every stream of the task, then close them.',
  examples: {
    good: [
      [stream(v1.statusUpdate('CANCELED')), cancel],
      [
        timed(
          restStream({
            verb: 'POST',
            path: '/message:stream',
            body: params,
            events: [working, v1.statusUpdate('CANCELED')],
          }),
          1,
          [2, 6],
        ),
        cancel,
      ],
    ],
    skip: [
      [cancel],
      // Nobody cancelled it by this call, or it went on all the same.
      [
        stream(chunk),
        timed(rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('CANCELED') }), 4),
      ],
      [stream(chunk), timed(rpc({ ...cancelling, result: v1.task('WORKING') }), 4)],
      // The stream began when the cancel was over, or was at its end before.
      [
        cancel,
        timed(
          rpcStream({ method: 'SubscribeToTask', params: { id: 'task-1' }, events: [working] }),
          6,
          [7, 8],
        ),
      ],
      [timed(rpcStream({ method: 'SendStreamingMessage', params, events: [working] }), 1, [2, 3]), cancel],
      // It may end when its task waits for somebody, and soon after the cancel it may still be told.
      [stream(v1.statusUpdate('INPUT_REQUIRED')), cancel],
      [
        timed(
          rpcStream({ method: 'SendStreamingMessage', params, events: [working, chunk], end: 'open' }),
          1,
          [2, 6],
        ),
        cancel,
      ],
      // What was lost may have been the status.
      [
        stream(chunk),
        cancel,
        timed(
          rpcStream({
            method: 'SubscribeToTask',
            params: { id: 'task-9' },
            events: [],
            raw: 'data: {',
            end: 'reset',
          }),
          5,
        ),
      ],
      // Who cancels may hang up at once.
      [
        timed(
          rpcStream({ method: 'SendStreamingMessage', params, events: [working], end: 'client-abort' }),
          1,
          [2],
        ),
        cancel,
      ],
    ],
    bad: [
      { example: [stream(chunk), cancel], messages: ['ended'] },
      {
        example: [
          timed(
            rpcStream({
              method: 'SendStreamingMessage',
              params,
              events: [working, chunk, v1.artifactUpdate('more', { append: true })],
              end: 'open',
            }),
            1,
            [2, 6, 40],
          ),
          cancel,
        ],
        messages: ['open'],
      },
      {
        example: [
          timed(
            grpcStream({
              method: 'SendStreamingMessage',
              request: params,
              events: [working, chunk, v1.artifactUpdate('more', { append: true })],
              status: null,
            }),
            1,
            [2, 6, 40],
          ),
          timed(grpc({ method: 'CancelTask', request: { id: 'task-1' }, response: v1.task('CANCELED') }), 4),
        ],
        messages: ['open'],
      },
    ],
  },
  when: (task, { conversation }) => {
    const outcomes = openWhenCancelled(task, conversation).map(({ outcome }) => outcome);
    if (outcomes.length === 0) return false;
    return outcomes.some((outcome) => outcome !== 'unknown') ? true : 'undecidable';
  },
  check: (task, { conversation, report }) => {
    for (const { outcome, last } of openWhenCancelled(task, conversation)) {
      if (outcome === 'unknown' || outcome === 'told') continue;
      const { exchange, side, event } = last;
      report(outcome, {
        exchange,
        at: { side, ...(event === undefined ? {} : { event }) },
        data: { task: task.id },
        expected: 'a status update with TASK_STATE_CANCELED, and the end of the stream',
      });
    }
  },
});

interface OpenStream {
  readonly last: TaskObservation;
  readonly outcome: 'told' | 'ended' | 'open' | 'unknown';
}

/** A server tells its streams within this time, even where many of them are slow. */
const graceNs = 10_000_000_000;

/** The streams of a task that were open when a cancel was answered with the cancelled task. */
function openWhenCancelled(task: TaskHistory, conversation: Conversation): readonly OpenStream[] {
  if (task.streams === undefined) return [];
  const cancelled = task.observations.find(
    ({ channel, state, version }) =>
      channel === 'cancel' && state === 'TASK_STATE_CANCELED' && version === '1.0',
  );
  if (cancelled === undefined) return [];
  return streamsOf(task).flatMap((shown) => {
    const { stream, looks } = shown;
    const [first] = looks;
    const last = looks.at(-1);
    // Open before the cancel was asked for, and still so when it was answered.
    if (first === undefined || last === undefined || first.version !== '1.0') return [];
    if (first.atNs > cancelled.exchange.startNs) return [];
    if (stream.endedAtNs !== undefined && stream.endedAtNs <= cancelled.atNs) return [];
    return [{ last, outcome: outcomeOf(shown, cancelled, conversation) }];
  });
}

function outcomeOf(
  { stream, looks }: ShownStream,
  cancelled: TaskObservation,
  conversation: Conversation,
): OpenStream['outcome'] {
  // Another end is the matter of LIFE-011.
  if (looks.some(({ state }) => isTerminal(state))) return 'told';
  const lastNs = looks.at(-1)?.atNs ?? 0;
  if (conversation.gapBetween(cancelled.exchange.startNs, stream.endedAtNs ?? lastNs)) return 'unknown';
  // A stream may end when its task waits for somebody (section 11.7), and may have done so just before.
  const waits = isInterrupted(looks.findLast(({ state }) => state !== undefined)?.state);
  if (stream.complete) return waits ? 'unknown' : 'ended';
  // What came over it long after shows that it was open, and that the server had the time to tell.
  return lastNs - cancelled.atNs >= graceNs ? 'open' : 'unknown';
}
