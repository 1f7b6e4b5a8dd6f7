import { isTerminal } from '@plugfest/a2a';
import type {
  ArtifactDigest,
  Conversation,
  PartDigest,
  TaskHistory,
  TaskObservation,
} from '@plugfest/verifier';

/** An artifact as its pieces make it. */
export interface Assembled {
  /** The parts that it has after the last piece. */
  readonly parts: PartDigest[];
  /** The parts of all pieces, also of those that a later one replaced. */
  readonly all: PartDigest[];
  /** False where the first piece seen is to be appended to something that was not. */
  readonly whole: boolean;
  /** Pieces that were appended to it since it was last sent as a whole. */
  readonly appended: number;
  /** It was sent as a whole more than once. */
  readonly replaced: boolean;
}

type Growing = { -readonly [K in keyof Assembled]: Assembled[K] };

/** The artifacts of a task after events, by id (A2A 1.0 section 4.2.2): a Task sets them all, a chunk replaces or appends. */
function assemble(events: readonly TaskObservation[]): ReadonlyMap<string, Assembled> {
  const artifacts = new Map<string, Growing>();
  const apply = ({ artifactId, parts }: ArtifactDigest, append: boolean): void => {
    if (artifactId === undefined) return;
    const before = artifacts.get(artifactId);
    if (before === undefined) {
      const piece = { parts: [...parts], all: [...parts], whole: !append, appended: 0, replaced: false };
      artifacts.set(artifactId, piece);
      return;
    }
    for (const part of parts) before.all.push(part);
    if (append) {
      for (const part of parts) before.parts.push(part);
      before.appended += 1;
      return;
    }
    before.parts = [...parts];
    before.whole = true;
    before.appended = 0;
    before.replaced = true;
  };
  for (const { kind, artifacts: pieces, append } of events) {
    if (kind === 'task' && pieces !== undefined) artifacts.clear();
    for (const piece of pieces ?? []) apply(piece, append);
  }
  return artifacts;
}

/**
 * What appending means for a part is left open: an agent may list the parts of all chunks, or join their texts, and
 * do with data and files what it likes. So all text has to be the same, and other content has to be there at all.
 */
export function isSameContent(one: readonly PartDigest[], other: readonly PartDigest[]): boolean {
  const hasMore = (parts: readonly PartDigest[]): boolean => parts.some(({ kind }) => kind !== 'text');
  if (hasMore(one) && !hasMore(other)) return false;
  const [left, right] = [textOf(one), textOf(other)];
  return left === undefined || right === undefined || left === right;
}

/** The pieces of an artifact that was sent as a whole several times, put together although each replaces the one before. */
export const isJoined = ({ replaced, parts, all }: Assembled, stored: readonly PartDigest[]): boolean =>
  replaced && !isSameContent(parts, stored) && isSameContent(all, stored);

/** All text in one; undefined where some of it is too long to be kept. */
export function textOf(parts: readonly PartDigest[]): string | undefined {
  let text = '';
  for (const part of parts) {
    if (part.kind !== 'text') continue;
    if (part.text === undefined) return undefined;
    text += part.text;
  }
  return text;
}

/** A stream that is there from its opening Task to the terminal state, and a Get Task after it. */
export interface StreamAndStore {
  /** What the stream showed of the task, in order. */
  readonly events: readonly TaskObservation[];
  /** From its request to its terminal state. */
  readonly fromNs: number;
  readonly toNs: number;
  /** Each artifact as the stream sent it. */
  readonly streamed: ReadonlyMap<string, Assembled>;
  /** A later Get Task of the finished task. */
  readonly stored: TaskObservation;
}

/** An event of the stream may be what the capture lost: then what it brought, all in all, is not known. */
export const isStreamCut = ({ fromNs, toNs }: StreamAndStore, conversation: Conversation): boolean =>
  conversation.gapBetween(fromNs, toNs);

/** Artifacts that were both streamed and stored. */
export function comparedArtifacts({ streamed, stored }: StreamAndStore) {
  return (stored.artifacts ?? []).flatMap(({ artifactId: id, parts }, index) => {
    const sent = streamed.get(id ?? '');
    const at = { side: stored.side, pointer: `${stored.pointer}/artifacts/${index}` };
    return sent === undefined ? [] : [{ id, sent, parts, at }];
  });
}

/** The rules for tasks are applied to one task after the other: only the last one is remembered. */
let last:
  | { readonly task: TaskHistory; readonly looks: number; readonly found: StreamAndStore | undefined }
  | undefined;

/** What the stream of a task showed, and what was stored; worked out once for all rules that compare the two. */
export function streamAndStore(task: TaskHistory): StreamAndStore | undefined {
  const looks = task.observations.length;
  if (last?.task !== task || last.looks !== looks) last = { task, looks, found: compare(task) };
  return last.found;
}

function compare({ observations, streams }: TaskHistory): StreamAndStore | undefined {
  if (streams === undefined) return undefined;
  const end = observations.find(
    ({ channel, state }) => (channel === 'stream' || channel === 'subscribe') && isTerminal(state),
  );
  if (end === undefined) return undefined;
  const stored = observations.find(
    ({ channel, state, exchange }) => channel === 'get' && isTerminal(state) && exchange.startNs >= end.atNs,
  );
  if (stored === undefined) return undefined;
  const events = observations.filter(({ exchange }) => exchange.id === end.exchange.id);
  // Without the opening snapshot it is not known what the artifacts were before.
  if (events[0]?.kind !== 'task') return undefined;
  return { events, fromNs: end.exchange.startNs, toNs: end.atNs, streamed: assemble(events), stored };
}
