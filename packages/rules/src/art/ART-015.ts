import type { TaskHistory } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { streamAndStore } from './assembled.ts';

const params = { message: v1.message('hello') };
const second = v1.artifact('lo', { metadata: { citations: 3 } });
const stream = rpcStream({
  method: 'SendStreamingMessage',
  params,
  events: [
    { task: v1.task('WORKING') },
    v1.artifactUpdate('hel', { lastChunk: false }),
    v1.artifactUpdate('lo', { artifact: second, append: true }),
    v1.statusUpdate('COMPLETED'),
  ],
});
const get = (more: Parameters<typeof v1.artifact>[1]) =>
  rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    result: v1.task('COMPLETED', { artifacts: [v1.artifact('hello', more)] }),
  });

/** By artifact id, the names of the metadata that its pieces brought. */
function streamedMetadata(task: TaskHistory): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { kind, artifacts = [] } of streamAndStore(task)?.events ?? []) {
    if (kind !== 'artifactUpdate') continue;
    for (const { artifactId, metadata } of artifacts) {
      if (artifactId === undefined || metadata.length === 0) continue;
      const own = names.get(artifactId) ?? new Set();
      for (const name of metadata) own.add(name);
      names.set(artifactId, own);
    }
  }
  return names;
}

export default defineRule({
  id: 'ART-015',
  level: 'SHOULD',
  party: 'server',
  summary: 'Metadata that came with the chunks of an artifact is there in Get Task, too.',
  spec: { '0.2': '7.2.3', '0.3': '7.2.3', '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { lost: 'Get Task shows no metadata `{name}` of artifact {id}, which a chunk brought' },
  why: 'Citations and costs often come with the last chunk: who polls never sees them. The specification does not say how the metadata of chunks is put together.',
  fix: 'Merge the metadata of appended chunks into that of the stored artifact.',
  examples: {
    good: [[stream, get({ metadata: { citations: 3, more: true } })]],
    skip: [[stream], [get({})]],
    bad: [
      { example: [stream, get({})], messages: ['lost'] },
      {
        example: [
          stream,
          rpc({
            method: 'GetTask',
            params: { id: 'task-1' },
            result: v1.task('COMPLETED', {
              artifacts: [
                v1.artifact('more', { artifactId: 'artifact-2', metadata: { citations: 3 } }),
                v1.artifact('hello'),
              ],
            }),
          }),
        ],
        messages: ['lost'],
      },
    ],
  },
  when: (task) => streamedMetadata(task).size > 0,
  check: (task, { report }) => {
    const { stored } = streamAndStore(task) ?? {};
    if (stored === undefined) return;
    for (const [id, names] of streamedMetadata(task)) {
      const artifact = stored.artifacts?.find(({ artifactId }) => artifactId === id);
      // That it is missing as a whole is ART-008.
      if (artifact === undefined) continue;
      for (const name of names)
        if (!artifact.metadata.includes(name))
          report('lost', {
            exchange: stored.exchange,
            at: { side: stored.side, pointer: `${stored.pointer}/artifacts` },
            data: { name, id },
          });
    }
  },
});
