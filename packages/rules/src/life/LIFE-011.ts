import { isTerminal } from '@plugfest/a2a';
import type { PartDigest, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { isSameContent } from '../art/assembled.ts';
import { placeOf } from './steps.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const stream = (state: string) =>
  rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate(state)],
  });

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
    ],
    skip: [[stream('COMPLETED')], [get('WORKING'), deliver(v1.statusUpdate('WORKING'))]],
    bad: [
      { example: [stream('COMPLETED'), deliver(v1.statusUpdate('FAILED'))], messages: ['disagree'] },
      { example: [stream('COMPLETED'), get('FAILED')], messages: ['disagree'] },
      {
        example: [
          get('COMPLETED'),
          deliver({ task: v1.task('COMPLETED', { artifacts: [v1.artifact('half an ans')] }) }),
        ],
        messages: ['content'],
      },
    ],
  },
  when: ({ observations }) => {
    const ends = observations.filter(({ state }) => isTerminal(state));
    return ends.some(({ exchange }) => exchange.id !== ends[0]?.exchange.id);
  },
  check: ({ id, observations }, { report }) => {
    const ends = observations.filter(({ state }) => isTerminal(state));
    const [first] = ends;
    const other = ends.find(
      ({ state, exchange }) => state !== first?.state && exchange.id !== first?.exchange.id,
    );
    if (first !== undefined && other !== undefined)
      report('disagree', {
        ...placeOf(other),
        data: {
          task: id,
          found: other.state,
          channel: other.channel,
          ended: first.state,
          other: first.channel,
        },
        expected: first.state ?? 'a terminal state',
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
    if (look.kind !== 'task') continue;
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
