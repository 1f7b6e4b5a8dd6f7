import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { artifactDifferences, pairsOfFinishedLooks } from './finished-looks.ts';
import { placeOf } from './steps.ts';

const get = (task: ReturnType<typeof v1.task>) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: task });
const restGet = (task: ReturnType<typeof v1.task>) =>
  rest({ verb: 'GET', path: '/tasks/task-1', response: task });
const finished = v1.task('COMPLETED');
const hello = v1.message('hello', { taskId: 'task-1', contextId: 'ctx-1' });
const talk = (...history: readonly (typeof hello)[]) => v1.task('COMPLETED', { history });

export default defineRule({
  id: 'LIFE-003',
  level: 'SHOULD',
  party: 'server',
  summary: 'Artifacts and history of a finished task stay as they are.',
  spec: { '1.0': 'Life of a Task: Task Immutability' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    artifacts: 'Artifact {id} of the finished task {task} is {change} since it was shown before',
    history:
      'The history of the finished task {task} ends with message {found}, and ended with {known} before',
  },
  why: 'Clients refer to a finished task by its id, as to a document: what was agreed on, or paid for, has changed under them.',
  fix: 'Close the task for writing when it reaches a terminal state; put what comes later into a new task of the same context.',
  examples: {
    good: [
      [get(finished), get(finished)],
      [restGet(talk(hello)), restGet(talk(hello))],
    ],
    skip: [
      [get(finished)],
      [get(v1.task('WORKING')), get(finished)],
      // Another binding is the matter of EQV-002.
      [get(finished), restGet(finished)],
    ],
    bad: [
      {
        example: [get(finished), get(v1.task('COMPLETED', { artifacts: [v1.artifact('another answer')] }))],
        messages: ['artifacts'],
      },
      {
        example: [get(talk(hello)), get(talk(hello, v1.message('more', { taskId: 'task-1' })))],
        messages: ['history'],
      },
    ],
  },
  when: (task) => !pairsOfFinishedLooks(task, 'same', '1.0').next().done,
  check: (task, { report }) => {
    for (const { before, after } of pairsOfFinishedLooks(task, 'same', '1.0')) {
      const { exchange, at } = placeOf(after);
      const differences = artifactDifferences(before.artifacts, after.artifacts);
      for (const { id, change } of differences)
        report('artifacts', {
          exchange,
          at: { ...at, pointer: `${at.pointer}/artifacts` },
          data: { id, task: task.id, change },
          expected: 'the artifacts shown before',
        });
      const [known, found] = [before.lastMessageId, after.lastMessageId];
      const spoken = known !== undefined && found !== undefined && known !== found;
      if (spoken)
        report('history', {
          exchange,
          at: { ...at, pointer: `${at.pointer}/history` },
          data: { task: task.id, found, known },
          expected: known,
          actual: found,
        });
      // Once is enough: who polls sees the same change again and again.
      if (spoken || differences.length > 0) return;
    }
  },
});
