import { isTerminal } from '@plugfest/a2a';
import type { ArtifactDigest, PartDigest, TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const events = [
  { task: v1.task('WORKING') },
  v1.artifactUpdate('hel', { lastChunk: false }),
  v1.artifactUpdate('lo', { append: true }),
  v1.statusUpdate('COMPLETED'),
];
const stream = rpcStream({ method: 'SendStreamingMessage', params, events });
const get = (artifacts: readonly (typeof events)[number][] | undefined) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED', { artifacts }) });

export default defineRule({
  id: 'ART-008',
  level: 'MUST',
  party: 'server',
  summary: 'The chunks of an artifact, put together, are what Get Task shows of it.',
  spec: { '0.2': '7.2.3', '0.3': '7.2.3', '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    missing: 'Get Task shows no artifact {id}, which was streamed',
    differs: 'Get Task shows another content of artifact {id} than was streamed',
  },
  why: 'A client that polls gets another result than one that streams, and cannot know which one is right.',
  fix: 'Apply every chunk to the stored task as well: replace the artifact, or append to it, in the order of sending.',
  examples: {
    good: [
      [stream, get([v1.artifact('hello')])],
      [stream, get([v1.artifact('', { parts: [{ text: 'hel' }, { text: 'lo' }] })])],
      [
        restStream({ verb: 'POST', path: '/message:stream', body: params, events }),
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          response: v1.task('COMPLETED', { artifacts: [v1.artifact('hello')] }),
        }),
      ],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.artifactUpdate('answer'), v03.statusUpdate('completed')],
        }),
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('completed') }),
      ],
    ],
    skip: [[stream], [get([v1.artifact('hello')])]],
    bad: [
      { example: [stream, get(undefined)], messages: ['missing'] },
      { example: [stream, get([v1.artifact('lo')])], messages: ['differs'] },
    ],
  },
  when: (task) => {
    const comparison = comparisonOf(task);
    return comparison !== undefined && comparison.streamed.size > 0;
  },
  check: (task, { report }) => {
    const { streamed, stored } = comparisonOf(task) ?? {};
    if (streamed === undefined || stored === undefined) return;
    const { exchange, side, pointer } = stored;
    const shown = new Map((stored.artifacts ?? []).map((artifact) => [artifact.artifactId, artifact]));
    for (const [id, { parts, whole }] of streamed) {
      const artifact = shown.get(id);
      const at = { side, pointer: `${pointer}/artifacts` };
      if (artifact === undefined) report('missing', { exchange, at, data: { id } });
      else if (whole && !isSameContent(parts, artifact.parts))
        report('differs', { exchange, at, data: { id } });
    }
  },
});

interface Comparison {
  /** Each artifact as the stream sent it. */
  readonly streamed: ReadonlyMap<string, Content>;
  /** A later Get Task of the finished task. */
  readonly stored: TaskObservation;
}

/** A stream that is there from its first event to the terminal state, and a Get Task after it. */
function comparisonOf({ observations }: TaskHistory): Comparison | undefined {
  const end = observations.find(
    ({ channel, state, event }) =>
      (channel === 'stream' || channel === 'subscribe') && event !== undefined && isTerminal(state),
  );
  if (end === undefined) return undefined;
  const stored = observations.find(
    ({ channel, state, exchange }) => channel === 'get' && isTerminal(state) && exchange.startNs >= end.atNs,
  );
  const whole = observations.filter(({ exchange }) => exchange.id === end.exchange.id);
  // Without the opening snapshot it is not known what the artifacts were before.
  if (stored === undefined || whole[0]?.kind !== 'task') return undefined;
  return { streamed: putTogether(whole), stored };
}

interface Content {
  readonly parts: PartDigest[];
  /** False where the first piece seen is to be appended to something that was not. */
  readonly whole: boolean;
}

function putTogether(events: readonly TaskObservation[]): ReadonlyMap<string, Content> {
  const content = new Map<string, Content>();
  const set = ({ artifactId, parts }: ArtifactDigest, append: boolean): void => {
    if (artifactId === undefined) return;
    const before = append ? content.get(artifactId) : undefined;
    if (before === undefined) content.set(artifactId, { parts: [...parts], whole: !append });
    else for (const part of parts) before.parts.push(part);
  };
  for (const { kind, artifacts, append } of events) {
    if (kind === 'task' && artifacts !== undefined) content.clear();
    for (const artifact of artifacts ?? []) set(artifact, append);
  }
  return content;
}

/**
 * What appending means for a part is left open: an agent may list the parts of all chunks, or join their texts, and
 * do with data and files what it likes. So all text has to be the same, and other content has to be there at all.
 */
function isSameContent(streamed: readonly PartDigest[], stored: readonly PartDigest[]): boolean {
  const others = (parts: readonly PartDigest[]): boolean => parts.some(({ kind }) => kind !== 'text');
  if (others(streamed) && !others(stored)) return false;
  const [left, right] = [textOf(streamed), textOf(stored)];
  return left === undefined || right === undefined || left === right;
}

/** All text in one; undefined where some of it is too long to be kept. */
function textOf(parts: readonly PartDigest[]): string | undefined {
  let text = '';
  for (const part of parts) {
    if (part.kind !== 'text') continue;
    if (part.text === undefined) return undefined;
    text += part.text;
  }
  return text;
}
