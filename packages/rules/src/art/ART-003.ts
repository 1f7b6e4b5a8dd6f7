import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { artifactsIn } from './artifacts.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const get03 = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;
const empty = v1.artifact('nothing', { parts: [] });

export default defineRule({
  id: 'ART-003',
  level: 'MUST',
  party: 'server',
  summary: 'Every artifact, and every chunk of one, has at least one part.',
  spec: { '0.1': '6.7', '0.2': '6.7', '0.3': '6.7', '1.0': '4.1.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    missing: 'The artifact has no `parts`',
    empty: 'The artifact has an empty list of parts',
  },
  where: { empty: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'Clients that check the schema refuse the whole task or event for it. The 0.3 text does not repeat the lower bound, so there an empty list is a warning.',
  fix: 'Send an artifact only when there is something in it, and set `lastChunk` on the last chunk that has content.',
  examples: {
    good: [
      [rpc({ ...get, result: v1.task('COMPLETED') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('COMPLETED') })],
      [rpc({ ...get03, result: v03.task('completed') })],
    ],
    skip: [[rpc({ ...get, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpc({ ...get, result: v1.task('COMPLETED', { artifacts: [empty] }) })],
        messages: ['empty'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('WORKING') },
              v1.artifactUpdate('answer', { lastChunk: false }),
              v1.artifactUpdate('', { artifact: empty, append: true }),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['empty'],
      },
      {
        example: [
          rpc({
            ...get,
            result: v1.task('COMPLETED', { artifacts: [v1.artifact('', { parts: undefined })] }),
          }),
        ],
        messages: ['missing'],
      },
      {
        example: [
          rpc({
            ...get03,
            result: v03.task('completed', { artifacts: [v03.artifact('', { parts: undefined })] }),
          }),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: ({ payloads }) => artifactsIn(payloads).length > 0,
  check: ({ dialect, payloads }, { report }) => {
    for (const { artifact, at } of artifactsIn(payloads)) {
      if (artifact.parts.length > 0) continue;
      const isEmpty = Array.isArray(artifact.value.parts);
      report(isEmpty ? 'empty' : 'missing', {
        ...(isEmpty && dialect.version === '0.3' ? { outcome: 'warn' as const } : {}),
        at: { ...at, pointer: `${at.pointer}/parts` },
        expected: 'at least one part',
      });
    }
  },
});
