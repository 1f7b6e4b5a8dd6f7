import type { TaskHistory } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { artifactDifferences, pairsOfFinishedLooks } from './finished-looks.ts';
import { placeOf } from './steps.ts';

const get = (task: ReturnType<typeof v1.task>) =>
  rpc({ method: 'GetTask', params: { id: 'task-1' }, result: task });
const restGet = (task: ReturnType<typeof v1.task>) =>
  rest({ verb: 'GET', path: '/tasks/task-1', response: task });
const finished = v1.task('COMPLETED');
const list = (task: ReturnType<typeof v1.task>) =>
  rpc({
    method: 'ListTasks',
    params: { contextId: 'ctx-1', includeArtifacts: true },
    result: { tasks: [task], nextPageToken: '', pageSize: 50, totalSize: 1 },
  });
const get03 = rpc({
  version: '0.3',
  method: 'tasks/get',
  params: { id: 'task-1' },
  result: v03.task('completed'),
});
const mixed = [{ text: 'answer' }, { data: { answer: 4 } }];
const unnamed = (text: string) => v1.artifact(text, { artifactId: undefined });
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
      // The history may be left out.
      [get(finished), get(talk(hello))],
    ],
    skip: [
      [get(finished)],
      [get(v1.task('WORKING')), get(finished)],
      // Another binding is the matter of EQV-002.
      [get(finished), restGet(finished)],
      // Another end is that of LIFE-002.
      [get(finished), get(v1.task('FAILED', { artifacts: [v1.artifact('half an answer')] }))],
      // Lists leave artifacts out.
      [get(finished), list(v1.task('COMPLETED', { artifacts: undefined }))],
      // The same task, asked for in 0.3.
      [get(finished), get03, get03],
    ],
    bad: [
      {
        example: [get(finished), get(v1.task('COMPLETED', { artifacts: [v1.artifact('another answer')] }))],
        messages: ['artifacts'],
      },
      {
        example: [get(finished), list(v1.task('COMPLETED', { artifacts: [v1.artifact('another answer')] }))],
        messages: ['artifacts'],
      },
      // Told once, however often it is seen.
      {
        example: [
          get(finished),
          get(finished),
          get(v1.task('COMPLETED', { artifacts: [v1.artifact('answer', { parts: mixed })] })),
          get(finished),
        ],
        messages: ['artifacts'],
      },
      {
        example: [get(v1.task('COMPLETED', { artifacts: undefined })), get(finished)],
        messages: ['artifacts'],
      },
      {
        example: [get(finished), get(v1.task('COMPLETED', { artifacts: undefined }))],
        messages: ['artifacts'],
      },
      // Artifacts without an id cannot be told apart.
      {
        example: [
          get(v1.task('COMPLETED', { artifacts: [v1.artifact('answer'), unnamed('one')] })),
          get(v1.task('COMPLETED', { artifacts: [unnamed('two')] })),
        ],
        messages: ['artifacts'],
      },
      {
        example: [
          get(talk(hello)),
          get(talk(hello, v1.message('more', { taskId: 'task-1' }))),
          get(talk(hello)),
        ],
        messages: ['history'],
      },
      {
        example: [get(talk(hello)), get(talk(hello, v1.message('more', { taskId: 'task-1' })))],
        messages: ['history'],
      },
    ],
  },
  when: (task) => !pairs10(task).next().done,
  check: (task, { report }) => {
    for (const { before, after } of pairs10(task)) {
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

const pairs10 = (task: TaskHistory) =>
  pairsOfFinishedLooks(task, 'same').filter(({ after }) => after.version === '1.0');
