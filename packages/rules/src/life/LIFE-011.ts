import { isTerminal } from '@plugfest/a2a';
import type { PartDigest, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, rpcStream, timed, v1 } from '@plugfest/verifier/examples';
import { isSameContent } from '../art/assembled.ts';
import { changeAfterEnd, isSecondCancel } from './ends.ts';
import { placeOf } from './steps.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const stream = (state: string) =>
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate(state)],
  });

const half = { task: v1.task('COMPLETED', { artifacts: [v1.artifact('half an ans')] }) };

export default defineRule({
  id: 'LIFE-011',
  level: 'MUST',
  party: 'server',
  summary: 'Streams, polls, lists and deliveries agree on how a task ended, and with what.',
  spec: { '1.0': '3.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    disagree: 'Task {task} is {found} by {channel}, and was {ended} by {other}',
    content: 'Artifact {id} of the finished task {task} has another content by {channel} than by {other}',
  },
  why: 'Clients on different channels reach opposite conclusions about the same work, and one of them is wrong.',
  fix: 'Let one store decide the state of a task, and feed streams, answers and deliveries from it.',
  examples: {
    good: [
      [stream('COMPLETED'), get('COMPLETED')],
      [get('WORKING'), deliver(v1.statusUpdate('COMPLETED')), get('COMPLETED')],
      // Of two deliveries the capture does not say which one was made first.
      [deliver(half), deliver({ task: v1.task('COMPLETED') })],
    ],
    skip: [[stream('COMPLETED')], [get('WORKING'), deliver(v1.statusUpdate('WORKING'))]],
    bad: [
      {
        example: [deliver(v1.statusUpdate('COMPLETED')), deliver(v1.statusUpdate('FAILED'))],
        messages: ['disagree'],
      },
      // While the stream runs, so that nobody can say which of the two the agent gave first.
      {
        example: [timed(stream('COMPLETED'), 1, [2, 6, 7]), timed(get('FAILED'), 4)],
        messages: ['disagree'],
      },
      {
        example: [get('COMPLETED'), deliver(half), deliver(half)],
        messages: ['content'],
      },
      // That a stream shows two ends is the matter of LIFE-002, and artifacts without an id cannot be told apart.
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED'), v1.statusUpdate('FAILED')],
          }),
          rpc({
            method: 'GetTask',
            params: { id: 'task-1' },
            result: v1.task('COMPLETED', {
              artifacts: [
                v1.artifact('answer', { parts: [{ text: 'answer' }, { data: { answer: 4 } }] }),
                v1.artifact('one', { artifactId: undefined }),
              ],
            }),
          }),
          rpc({
            method: 'ListTasks',
            params: { contextId: 'ctx-1', includeArtifacts: true },
            result: {
              tasks: [
                v1.task('COMPLETED', {
                  artifacts: [v1.artifact('answer'), v1.artifact('two', { artifactId: undefined })],
                }),
              ],
              nextPageToken: '',
              pageSize: 50,
              totalSize: 1,
            },
          }),
        ],
        messages: ['content'],
      },
      // What an answer and a later poll show is for SEND-007 to compare.
      {
        example: [
          rpc({
            method: 'SendMessage',
            params: { message: v1.message('hello') },
            result: { task: v1.task('COMPLETED') },
          }),
          rpc({
            method: 'GetTask',
            params: { id: 'task-1' },
            result: v1.task('COMPLETED', { artifacts: [v1.artifact('half an ans')] }),
          }),
          deliver(v1.statusUpdate('COMPLETED')),
          deliver(v1.statusUpdate('FAILED', { taskId: 'task-2' })),
          deliver(v1.statusUpdate('COMPLETED', { taskId: 'task-2' })),
        ],
        messages: ['disagree'],
      },
    ],
  },
  when: ({ observations }) => {
    const ends = observations.filter(({ state }) => isTerminal(state));
    return new Set(ends.map(({ exchange }) => exchange.id)).size > 1;
  },
  check: ({ id, observations }, { report }) => {
    const ends = observations.filter(({ state }) => isTerminal(state));
    const [first] = ends;
    if (first === undefined) return;
    // A state that came after the end for certain is LIFE-002, a delivery against other channels HOOK-010, and what a
    // second cancel says CANC-004.
    const changed = changeAfterEnd(observations);
    const told = ends.some(({ channel }) => channel !== 'webhook');
    const other = ends.find(
      (look) =>
        look.state !== first.state &&
        look.exchange.id !== first.exchange.id &&
        !isSecondCancel(look, first) &&
        changed === undefined &&
        !(told && (look.channel === 'webhook' || first.channel === 'webhook')),
    );
    if (other !== undefined)
      report('disagree', {
        ...placeOf(other),
        data: {
          task: id,
          found: other.state,
          channel: other.channel,
          ended: first.state,
          other: first.channel,
        },
        expected: `${first.state}`,
        actual: other.state,
      });
    for (const { artifactId, look, before } of otherContents(ends)) {
      const { exchange, at } = placeOf(look);
      report('content', {
        exchange,
        at: { ...at, pointer: `${at.pointer}/artifacts` },
        data: { task: id, id: artifactId, channel: look.channel, other: before.channel },
        expected: `what was shown by ${before.channel}`,
      });
    }
  },
});

/**
 * Artifacts of which a list or a delivery shows another content than another channel, each once. Polls among
 * themselves, and with streams and answers, are the matter of LIFE-003, EQV-002, ART-008 and SEND-007.
 */
function otherContents(ends: readonly TaskObservation[]) {
  const shown = new Map<string, { readonly look: TaskObservation; readonly parts: readonly PartDigest[] }>();
  const found: {
    readonly artifactId: string;
    readonly look: TaskObservation;
    readonly before: TaskObservation;
  }[] = [];
  const reported = new Set<string>();
  for (const look of ends) {
    for (const { artifactId, parts } of look.artifacts ?? []) {
      if (artifactId === undefined) continue;
      const before = shown.get(artifactId);
      if (before === undefined) {
        shown.set(artifactId, { look, parts });
        continue;
      }
      const channels = [look.channel, before.look.channel];
      if (look.channel === before.look.channel || reported.has(artifactId)) continue;
      if (!channels.includes('webhook') && !channels.includes('list')) continue;
      if (isSameContent(before.parts, parts) && isSameContent(parts, before.parts)) continue;
      reported.add(artifactId);
      found.push({ artifactId, look, before: before.look });
    }
  }
  return found;
}
