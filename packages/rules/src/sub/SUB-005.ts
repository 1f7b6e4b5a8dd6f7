import type { Conversation, TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rest, restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../life/steps.ts';
import { streamsOf } from '../open-streams.ts';

const half = v1.task('WORKING', { artifacts: [v1.artifact('first half')] });
const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: half });
const subscribe = { method: 'SubscribeToTask', params: { id: 'task-1' } } as const;
const other = v1.artifact('second half', { artifactId: 'artifact-2' });
const rest2 = v1.artifactUpdate('second half', { artifact: other });

export default defineRule({
  id: 'SUB-005',
  level: 'MUST',
  party: 'server',
  summary: 'The task that opens a subscription, with the events after it, lacks no artifact shown before.',
  spec: { '1.0': '3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    lost: 'Artifact {id} of task {task} was shown before the subscription, which does not bring it',
  },
  why: 'A client that comes back after a lost connection starts from this snapshot: what is not in it is lost, although the agent has it.',
  fix: 'Open the subscription with the stored task, its artifacts included, and let the events follow without a hole.',
  examples: {
    good: [
      [get, rpcStream({ ...subscribe, events: [{ task: half }, rest2, v1.statusUpdate('COMPLETED')] })],
      [
        rest({ verb: 'GET', path: '/tasks/task-1', response: half }),
        restStream({
          verb: 'POST',
          path: '/tasks/task-1:subscribe',
          events: [{ task: half }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [
      [rpcStream({ ...subscribe, events: [{ task: half }, v1.statusUpdate('COMPLETED')] })],
      [
        rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }),
        rpcStream({ ...subscribe, events: [{ task: half }, v1.statusUpdate('COMPLETED')] }),
      ],
      // The agent does not show it any more.
      [
        deliver(v1.artifactUpdate('first half')),
        rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }),
        rpcStream({ ...subscribe, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] }),
      ],
      // Not a subscription, or one of 0.x, which brings what the agent likes.
      [
        get,
        rpcStream({
          method: 'SendStreamingMessage',
          params: { message: v1.message('go on', { taskId: 'task-1', contextId: 'ctx-1' }) },
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
      [
        get,
        rpcStream({
          version: '0.3',
          method: 'tasks/resubscribe',
          params: { id: 'task-1' },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    bad: [
      {
        example: [
          get,
          rpcStream({ ...subscribe, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] }),
        ],
        messages: ['lost'],
      },
      // A delivery may be older than what was got.
      {
        example: [
          get,
          deliver({ task: v1.task('WORKING') }),
          rpcStream({ ...subscribe, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] }),
        ],
        messages: ['lost'],
      },
      {
        example: [
          rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }),
          deliver(v1.artifactUpdate('first half')),
          rpcStream({
            ...subscribe,
            events: [{ task: v1.task('WORKING', { artifacts: [other] }) }, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['lost'],
      },
    ],
  },
  when: (task, { conversation }) => {
    const judged = subscriptions(task).filter(({ known }) => known.size > 0);
    if (judged.length === 0) return false;
    return judged.some((each) => !isCut(each, conversation)) ? true : 'undecidable';
  },
  check: (task, { conversation, report }) => {
    for (const subscribed of subscriptions(task)) {
      if (isCut(subscribed, conversation)) continue;
      const { snapshot, looks, known } = subscribed;
      const brought = new Set(
        looks.flatMap(({ artifacts = [] }) => artifacts.map(({ artifactId }) => artifactId)),
      );
      for (const id of known)
        if (!brought.has(id)) {
          const { exchange, at } = placeOf(snapshot);
          report('lost', {
            exchange,
            at: { ...at, pointer: `${at.pointer}/artifacts` },
            data: { id, task: task.id },
            expected: 'the artifact',
          });
        }
    }
  },
});

/** Looks that show artifacts before a subscription; a task that is polled shows the same ones again and again. */
const lastLooks = 64;
/** Streams of one task that are compared; a broken client subscribes again and again. */
const comparedStreams = 64;

interface Subscribed {
  readonly snapshot: TaskObservation;
  readonly looks: readonly TaskObservation[];
  /** Ids of the artifacts that had been shown when the subscription was asked for. */
  readonly known: ReadonlySet<string>;
}

/** The event that brought the artifact may be what the capture lost. */
const isCut = ({ snapshot, looks }: Subscribed, conversation: Conversation): boolean =>
  conversation.gapBetween(snapshot.exchange.startNs, (looks.at(-1) ?? snapshot).atNs);

/** The subscriptions to a task that opened with a snapshot. */
function subscriptions(task: TaskHistory): readonly Subscribed[] {
  return streamsOf(task)
    .slice(0, comparedStreams)
    .flatMap(({ stream, looks }) => {
      const [snapshot] = looks;
      if (snapshot?.channel !== 'subscribe' || snapshot.kind !== 'task') return [];
      // What a subscription of 0.x brings is up to the agent.
      if (snapshot.version !== '1.0') return [];
      const known = new Set<string>();
      const { startNs } = stream.exchange;
      // Only the newest looks: an artifact is never taken back by the protocol, so they show what there is.
      for (const look of task.observations.filter(({ atNs }) => atNs <= startNs).slice(-lastLooks)) {
        if (look.exchange.id === snapshot.exchange.id) continue;
        // A look at the whole task says which artifacts are left.
        if (look.channel === 'get') known.clear();
        for (const { artifactId } of look.artifacts ?? []) if (artifactId) known.add(artifactId);
      }
      return [{ snapshot, looks, known }];
    });
}
