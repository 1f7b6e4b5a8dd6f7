import type { Conversation, TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, rpcStream, timed, v1 } from '@plugfest/verifier/examples';
import { placeOf } from '../life/steps.ts';

/** A client that waits for its user may take its time; one that does nothing for so long has no stream and no poll. */
const patienceNs = 300_000_000_000;

const message = v1.message('hello');
const send = rpc({ method: 'SendMessage', params: { message }, result: { task: v1.task('AUTH_REQUIRED') } });
const other = rpc({
  method: 'SendMessage',
  params: { message: v1.message('something else') },
  result: { task: v1.task('COMPLETED', { id: 'task-2', contextId: 'ctx-2' }) },
});
const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') });
const at = (minute: number) => ({ at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() });

/** The answer in which a client first heard that the task waits for an authorization. */
const heard = ({ observations }: TaskHistory): TaskObservation | undefined =>
  observations.find(({ state, channel }) => state === 'TASK_STATE_AUTH_REQUIRED' && channel !== 'webhook');

/** Somebody looks after the task: by a call, a webhook, a stream, or any sight of it afterwards. */
function isLookedAfter(task: TaskHistory, look: TaskObservation, conversation: Conversation): boolean {
  const { actions, streams = [], observations } = task;
  return (
    actions.some(
      ({ exchange }) => exchange.id !== look.exchange.id && exchange.startNs >= look.exchange.startNs,
    ) ||
    conversation.hasConfigs(task.agent, task.id) ||
    streams.some(({ endedAtNs }) => endedAtNs === undefined || endedAtNs > look.atNs + patienceNs) ||
    // The stream that told of it may go on to bring the end.
    observations.some(({ exchange, atNs, state }) =>
      exchange.id === look.exchange.id
        ? atNs > look.atNs && state !== undefined && state !== look.state
        : atNs >= look.atNs,
    )
  );
}

/** A lab's clients go when their cell is over, whatever else the capture goes on to record. */
const isWatchedLongEnough = (look: TaskObservation, { observedUntilNs }: Conversation): boolean =>
  look.exchange.cell === undefined && observedUntilNs - look.atNs >= patienceNs;

export default defineRule({
  id: 'SUB-010',
  level: 'SHOULD',
  party: 'client',
  summary: 'A client whose task waits for an authorization subscribes to it, registers a webhook, or polls.',
  spec: { '1.0': '7.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { left: 'Task {task} waits for an authorization, and its client does not look at it any more' },
  why: 'The agent may get its credentials by another way and go on at once: the result lies there and nobody fetches it.',
  fix: 'Subscribe to the task, register a webhook for it, or poll it with growing pauses, until it leaves TASK_STATE_AUTH_REQUIRED.',
  examples: {
    good: [
      [send, get],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: { message },
          events: [
            { task: v1.task('WORKING') },
            v1.statusUpdate('AUTH_REQUIRED'),
            v1.statusUpdate('COMPLETED'),
          ],
        }),
      ],
    ],
    skip: [
      [send],
      // Nobody asked.
      [
        { ...deliver(v1.statusUpdate('AUTH_REQUIRED')), ...at(0) },
        { ...other, ...at(10) },
      ],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: { message },
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    bad: [
      {
        example: [
          { ...send, ...at(0) },
          { ...other, ...at(10) },
        ],
        messages: ['left'],
      },
      {
        example: [
          timed(
            rpcStream({
              method: 'SendStreamingMessage',
              params: { message },
              events: [{ task: v1.task('WORKING') }, v1.statusUpdate('AUTH_REQUIRED')],
            }),
            0,
            [1, 2],
          ),
          timed(other, 600),
        ],
        messages: ['left'],
      },
      // Its stream is closed again before the user has had the time.
      {
        example: [
          timed(
            rpcStream({
              method: 'SendStreamingMessage',
              params: { message },
              events: [
                { task: v1.task('WORKING') },
                v1.statusUpdate('AUTH_REQUIRED'),
                v1.artifactUpdate('so far'),
                v1.statusUpdate('AUTH_REQUIRED'),
              ],
            }),
            0,
            [1, 2, 3, 4],
          ),
          timed(other, 600),
        ],
        messages: ['left'],
      },
    ],
  },
  when: (task, { conversation }) => {
    const look = heard(task);
    if (look === undefined) return false;
    if (isLookedAfter(task, look, conversation)) return true;
    if (!isWatchedLongEnough(look, conversation)) return false;
    return conversation.gapBetween(look.atNs, conversation.observedUntilNs) ? 'undecidable' : true;
  },
  check: (task, { conversation, report }) => {
    const look = heard(task);
    if (look === undefined || isLookedAfter(task, look, conversation)) return;
    report('left', {
      ...placeOf(look),
      data: { task: task.id },
      expected: 'a subscription, a webhook or a poll',
    });
  },
});
