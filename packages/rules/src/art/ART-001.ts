import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { artifactsIn } from './artifacts.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const nameless = (text: string) => v1.artifact(text, { artifactId: undefined });

export default defineRule({
  id: 'ART-001',
  level: 'MUST',
  party: 'server',
  summary: 'Every artifact has an `artifactId`.',
  spec: { '0.2': '6.7', '0.3': '6.7', '1.0': '4.1.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { missing: 'The artifact has no `artifactId`' },
  why: 'Chunks are joined, and artifacts referred to, by this id; without it a client keeps only the last piece.',
  fix: 'Give every artifact a non-empty `artifactId`, the same one in all its chunks.',
  examples: {
    good: [
      [rpc({ ...get, result: v1.task('COMPLETED') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('COMPLETED') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('completed') })],
    ],
    skip: [[rpc({ ...get, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpc({ ...get, result: v1.task('COMPLETED', { artifacts: [nameless('answer')] }) })],
        messages: ['missing'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('WORKING') },
              v1.artifactUpdate('answer', { artifact: v1.artifact('answer', { artifactId: '' }) }),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['missing'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            result: v03.task('completed', { artifacts: [v03.artifact('answer', { artifactId: undefined })] }),
          }),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: ({ payloads }) => artifactsIn(payloads).length > 0,
  check: ({ payloads }, { report }) => {
    for (const { artifact, at } of artifactsIn(payloads)) {
      if (artifact.artifactId) continue;
      report('missing', {
        at: { ...at, pointer: `${at.pointer}/artifactId` },
        expected: 'a non-empty string',
        actual: artifact.value.artifactId,
      });
    }
  },
});
