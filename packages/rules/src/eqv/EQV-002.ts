import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { compareInstants } from '../instant.ts';
import { artifactDifferences, pairsOfFinishedLooks } from '../life/finished-looks.ts';
import { placeOf } from '../life/steps.ts';
import { bindingPairs, reading } from './readings.ts';

const other = { '1.0': v1.artifact('something else'), '0.3': v03.artifact('something else') } as const;
const timestamp = '2026-01-01T00:00:09.500Z';
/** A timestamp may be left out. */
const untimed = v1.status('COMPLETED', { timestamp: undefined });
const later = {
  '1.0': v1.status('COMPLETED', { timestamp }),
  '0.3': v03.status('completed', { timestamp }),
} as const;

export default defineRule({
  id: 'EQV-002',
  level: 'MUST',
  party: 'server',
  summary: 'A finished task reads the same on every binding of its agent.',
  spec: { '0.3': '3.4.1', '1.0': '5.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    artifact: 'Artifact {id} of task {task} is {change} over {binding}, compared with {other}',
    context: 'Task {task} has no context over {binding}, and belongs to {context} over {other}',
    timestamp: 'Task {task} was finished at {found} over {binding}, and at {known} over {other}',
  },
  why: 'Which binding a client prefers must not decide what it gets: two clients of one task argue about its result. A timestamp that some servers make when they answer is a warning only.',
  fix: 'Let all bindings read one store through one mapping, and compare their answers in a test.',
  examples: {
    good: [
      ...bindingPairs.map(([version, one, another]) => [reading(version, one), reading(version, another)]),
      [reading('1.0', 'JSONRPC', { status: untimed }), reading('1.0', 'HTTP+JSON')],
      [reading('1.0', 'JSONRPC'), reading('1.0', 'HTTP+JSON', { status: untimed })],
    ],
    skip: [
      [reading('1.0', 'JSONRPC'), reading('1.0', 'JSONRPC')],
      [reading('1.0', 'JSONRPC', { status: v1.status('WORKING') }), reading('1.0', 'HTTP+JSON')],
      // Lists leave artifacts out; that the member is there and empty is LIST-004.
      [
        reading('1.0', 'HTTP+JSON'),
        rpc({
          method: 'ListTasks',
          params: {},
          result: {
            tasks: [v1.task('COMPLETED', { artifacts: [] })],
            nextPageToken: '',
            pageSize: 1,
            totalSize: 1,
          },
        }),
      ],
    ],
    bad: [
      ...bindingPairs.flatMap(([version, one, another]) => [
        {
          example: [reading(version, one), reading(version, another, { artifacts: undefined })],
          messages: ['artifact'] as const,
        },
        {
          example: [reading(version, one, { artifacts: [other[version]] }), reading(version, another)],
          messages: ['artifact'] as const,
        },
        {
          example: [reading(version, one), reading(version, another, { contextId: undefined })],
          messages: ['context'] as const,
        },
        {
          example: [reading(version, one), reading(version, another, { status: later[version] })],
          messages: ['timestamp'] as const,
          outcomes: ['warn'] as const,
        },
      ]),
      // The binding that is asked first may be the one that lacks the context.
      {
        example: [reading('1.0', 'JSONRPC', { contextId: undefined }), reading('1.0', 'HTTP+JSON')],
        messages: ['context'],
      },
      // Asked again and again, two bindings differ once, whichever was asked first.
      {
        example: [
          reading('1.0', 'JSONRPC'),
          reading('1.0', 'HTTP+JSON', { artifacts: undefined }),
          reading('1.0', 'JSONRPC'),
        ],
        messages: ['artifact'],
      },
    ],
  },
  when: (task) => !pairsOfFinishedLooks(task, 'other').next().done,
  check: (task, { report }) => {
    const compared = new Set<string>();
    for (const { before, after } of pairsOfFinishedLooks(task, 'other')) {
      const pair = [before.binding, after.binding].sort().join();
      if (compared.has(pair)) continue;
      compared.add(pair);
      const { exchange, at } = placeOf(after);
      const names = { task: task.id, binding: after.binding, other: before.binding };
      for (const { id, change } of artifactDifferences(before.artifacts, after.artifacts))
        report('artifact', {
          exchange,
          at: { ...at, pointer: `${at.pointer}/artifacts` },
          data: { ...names, id, change },
          expected: `what ${before.binding} shows`,
        });
      // Two different contexts are the matter of CTX-009.
      if (!before.contextId !== !after.contextId)
        report('context', {
          exchange,
          at: { ...at, pointer: `${at.pointer}/contextId` },
          data: before.contextId
            ? { ...names, context: before.contextId }
            : { ...names, binding: before.binding, other: after.binding, context: after.contextId },
        });
      const [known, found] = [before.timestamp, after.timestamp];
      if (known !== undefined && found !== undefined && (compareInstants(found, known) ?? 0) !== 0)
        report('timestamp', {
          outcome: 'warn',
          exchange,
          at: { ...at, pointer: `${at.pointer}/status/timestamp` },
          data: { ...names, found, known },
          expected: known,
          actual: found,
        });
    }
  },
});
