import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const two = (id: string) =>
  v1.task('COMPLETED', { artifacts: [v1.artifact('first'), v1.artifact('second', { artifactId: id })] });
const two03 = (id: string) =>
  v03.task('completed', { artifacts: [v03.artifact('first'), v03.artifact('second', { artifactId: id })] });

export default defineRule({
  id: 'ART-002',
  level: 'MUST',
  party: 'server',
  summary: 'No two artifacts of a task have the same `artifactId`.',
  spec: { '0.2': '6.7', '0.3': '6.7', '1.0': '4.1.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { twice: 'Two artifacts of the task have the id {id}' },
  why: 'Clients keep artifacts by id, so one of the two replaces the other and its content is lost.',
  fix: 'Join the chunks of one artifact before storing it, and give different artifacts different ids.',
  examples: {
    good: [
      [rpc({ ...get, result: two('artifact-2') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: two('artifact-2') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: two03('artifact-2') })],
    ],
    skip: [[rpc({ ...get, result: v1.task('COMPLETED') })]],
    bad: [
      { example: [rpc({ ...get, result: two('artifact-1') })], messages: ['twice'] },
      {
        example: [
          rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: two03('artifact-1') }),
        ],
        messages: ['twice'],
      },
    ],
  },
  when: ({ payloads }) =>
    payloads.some((payload) => payload.kind === 'task' && (payload.task.artifacts?.length ?? 0) > 1),
  check: ({ payloads }, { report }) => {
    for (const payload of payloads) {
      if (payload.kind !== 'task') continue;
      const seen = new Set<string>();
      for (const { artifactId, pointer } of payload.task.artifacts ?? []) {
        if (!artifactId) continue;
        if (seen.has(artifactId))
          report('twice', {
            data: { id: artifactId },
            at: { ...placeOf(payload), pointer: `${pointer}/artifactId` },
            expected: 'an id of its own',
            actual: artifactId,
          });
        seen.add(artifactId);
      }
    }
  },
});
