import type { ArtifactUpdateView } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const around = (event: Json) => [{ task: v1.task('WORKING') }, event, v1.statusUpdate('COMPLETED')];

export default defineRule({
  id: 'SSE-015',
  level: 'MUST',
  party: 'server',
  summary: 'An `artifactUpdate` names its task and context and holds an artifact.',
  spec: { '1.0': '4.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { missing: 'The artifactUpdate of event {event} has no `{member}`' },
  why: 'Without task and context a client cannot tell which task the chunk belongs to.',
  fix: 'Set `taskId`, `contextId` and `artifact` in every artifact update.',
  examples: {
    good: [
      [rpcStream({ ...send, events: around(v1.artifactUpdate('answer')) })],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: params,
          events: around(v1.artifactUpdate('answer')),
        }),
      ],
    ],
    skip: [[rpcStream({ ...send, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] })]],
    bad: [
      {
        example: [
          rpcStream({ ...send, events: around(v1.artifactUpdate('answer', { contextId: undefined })) }),
        ],
        messages: ['missing'],
      },
      {
        example: [rpcStream({ ...send, events: around({ artifactUpdate: { parts: [{ text: 'x' }] } }) })],
        messages: ['missing', 'missing', 'missing'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some(({ kind }) => kind === 'artifactUpdate'),
  check: ({ payloads }, { report }) => {
    for (const payload of payloads) {
      if (payload.kind !== 'artifactUpdate') continue;
      const { event = 0, pointer } = payload;
      for (const member of missingMembers(payload.update))
        report('missing', {
          data: { event, member },
          at: { side: 'response', event, pointer: `${pointer}/${member.replace('.', '/')}` },
        });
    }
  },
});

function missingMembers({ taskId, contextId, artifact }: ArtifactUpdateView): readonly string[] {
  const missing: string[] = [];
  if (!taskId) missing.push('taskId');
  if (!contextId) missing.push('contextId');
  // Its id and parts are ART-001 and ART-003.
  if (artifact === undefined) missing.push('artifact');
  return missing;
}
