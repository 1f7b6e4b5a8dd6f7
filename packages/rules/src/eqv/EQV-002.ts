import { defineRule } from '@plugfest/verifier';
import { grpc, rest, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { compareInstants } from '../instant.ts';
import { artifactDifferences, pairsOfFinishedLooks } from '../life/finished-looks.ts';
import { placeOf } from '../life/steps.ts';

type Task = ReturnType<typeof v1.task>;
const task = v1.task('COMPLETED');
const byRpc = (result: Task) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result });
const byRest = (response: Task) => rest({ verb: 'GET', path: '/tasks/task-1', response });
const byGrpc = (response: Task) => grpc({ method: 'GetTask', request: { id: 'task-1' }, response });
const later = v1.status('COMPLETED', { timestamp: '2026-01-01T00:00:09.500Z' });

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
      [byRpc(task), byRest(task)],
      [byRpc(task), byGrpc(task)],
      [
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('completed') }),
        restV03({ verb: 'GET', path: '/v1/tasks/task-1', response: v03.task('completed') }),
      ],
    ],
    skip: [
      [byRpc(task), byRpc(task)],
      [byRpc(v1.task('WORKING')), byRest(task)],
    ],
    bad: [
      {
        example: [byRpc(task), byRest(v1.task('COMPLETED', { artifacts: undefined }))],
        messages: ['artifact'],
      },
      {
        example: [byRest(task), byGrpc(v1.task('COMPLETED', { artifacts: [v1.artifact('something else')] }))],
        messages: ['artifact'],
      },
      {
        example: [byRpc(task), byRest(v1.task('COMPLETED', { contextId: undefined }))],
        messages: ['context'],
      },
      {
        example: [byRpc(task), byRest(v1.task('COMPLETED', { status: later }))],
        messages: ['timestamp'],
        outcomes: ['warn'],
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
