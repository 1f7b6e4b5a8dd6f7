import type { DecodedExchange } from '@plugfest/a2a';
import type { ArtifactDigest, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { seenBefore } from '../before.ts';
import { placeOf, returnedTasks, sentMessage } from '../sent-message.ts';

const first = rpc({
  method: 'SendMessage',
  params: { message: v1.message('draw a boat') },
  result: { task: v1.task('COMPLETED') },
});
const made = (...artifacts: readonly ReturnType<typeof v1.artifact>[]) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('draw a boat') },
    result: { task: v1.task('COMPLETED', { artifacts }) },
  });
const unfinished = rpc({
  method: 'SendMessage',
  params: { message: v1.message('draw a boat') },
  result: { task: v1.task('WORKING') },
});
const params = {
  message: v1.message('make it red', { contextId: 'ctx-1', referenceTaskIds: ['task-1'] }),
};
const refined = (artifactId: string, name: string) => ({
  task: v1.task('COMPLETED', { id: 'task-2', artifacts: [v1.artifact('red', { artifactId, name })] }),
});

export default defineRule({
  id: 'ART-010',
  level: 'SHOULD',
  party: 'server',
  summary: 'An artifact that refines one of an earlier task has the name of that one, and an id of its own.',
  spec: { '1.0': 'Life of a Task: Tracking Artifact Mutation' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    id: 'Artifact {id} of the new task has the id of an artifact of task {task}, to which the message refers',
    name: 'No artifact of the new task has a name that those of task {task} have, to which the message refers',
  },
  why: 'Clients keep the versions of an artifact by its name, and tell them apart by id. Whether an artifact refines another one is not to be seen on the wire, so this is for information.',
  fix: 'Give the new version the `name` of the old one, and a new `artifactId`.',
  examples: {
    good: [
      [
        made(v1.artifact('boat', { name: undefined })),
        rpc({ method: 'SendMessage', params, result: refined('artifact-2', 'red boat') }),
      ],
      [
        first,
        rpc({
          method: 'SendMessage',
          params,
          result: {
            task: v1.task('COMPLETED', {
              id: 'task-2',
              artifacts: [
                v1.artifact('oar', { artifactId: 'artifact-4', name: 'oar' }),
                v1.artifact('red', { artifactId: 'artifact-2' }),
              ],
            }),
          },
        }),
      ],
      [first, rpc({ method: 'SendMessage', params, result: refined('artifact-2', 'out') })],
      [
        first,
        rest({ verb: 'POST', path: '/message:send', body: params, response: refined('artifact-2', 'out') }),
      ],
    ],
    skip: [
      [first],
      [rpc({ method: 'SendMessage', params, result: refined('artifact-2', 'out') })],
      [first, rpc({ method: 'SendMessage', params, result: { task: v1.task('WORKING', { id: 'task-2' }) } })],
      [unfinished, rpc({ method: 'SendMessage', params, result: refined('artifact-2', 'out') })],
    ],
    bad: [
      {
        example: [
          made(v1.artifact('boat'), v1.artifact('mast', { artifactId: 'artifact-3', name: 'mast' })),
          rpc({
            method: 'SendMessage',
            params,
            result: {
              task: v1.task('COMPLETED', {
                id: 'task-2',
                artifacts: [
                  v1.artifact('red', { artifactId: 'artifact-2', name: 'red boat' }),
                  v1.artifact('oar', { artifactId: 'artifact-4', name: 'oar' }),
                ],
              }),
            },
          }),
        ],
        messages: ['name'],
        outcomes: ['info'],
      },
      // A later look may leave the artifacts out.
      {
        example: [
          first,
          rpc({
            method: 'GetTask',
            params: { id: 'task-1' },
            result: v1.task('COMPLETED', { artifacts: [] }),
          }),
          rpc({ method: 'SendMessage', params, result: refined('artifact-2', 'red boat') }),
        ],
        messages: ['name'],
        outcomes: ['info'],
      },
      {
        example: [first, rpc({ method: 'SendMessage', params, result: refined('artifact-1', 'out') })],
        messages: ['id'],
        outcomes: ['info'],
      },
      {
        example: [first, rpc({ method: 'SendMessage', params, result: refined('artifact-2', 'red boat') })],
        messages: ['name'],
        outcomes: ['info'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    newArtifacts(exchange).length > 0 && referredTo(exchange, conversation).length > 0,
  check: (exchange, { conversation, report }) => {
    const made = newArtifacts(exchange);
    const [payload] = returnedTasks(exchange);
    if (payload === undefined) return;
    for (const { task, artifacts } of referredTo(exchange, conversation)) {
      const ids = new Set(artifacts.map(({ artifactId }) => artifactId));
      const again = made.find(({ artifactId }) => artifactId !== undefined && ids.has(artifactId));
      if (again !== undefined)
        report('id', {
          outcome: 'info',
          data: { id: again.artifactId, task },
          at: placeOf(payload, '/artifacts'),
          expected: 'a new id',
          actual: again.artifactId,
        });
      const names = new Set(artifacts.flatMap(({ name }) => name || []));
      const found = made.flatMap(({ name }) => name || []);
      if (names.size > 0 && !found.some((name) => names.has(name)))
        report('name', {
          outcome: 'info',
          data: { task },
          at: placeOf(payload, '/artifacts'),
          expected: [...names].join(', '),
          actual: found.join(', '),
        });
    }
  },
});

/** The artifacts of the task that a message made. */
const newArtifacts = (exchange: DecodedExchange) =>
  sentMessage(exchange)?.message.taskId ? [] : (returnedTasks(exchange)[0]?.task.artifacts ?? []);

/** Tasks that a message refers to, and looks at each, that are searched. */
const [comparedTasks, lastLooks] = [4, 64];

/** The tasks that a message refers to, with the artifacts that they were shown with last. */
function referredTo(exchange: DecodedExchange, conversation: Conversation) {
  const { captured } = exchange;
  const ids = sentMessage(exchange)?.message.referenceTaskIds.slice(0, comparedTasks) ?? [];
  return ids.flatMap((task): readonly { task: string; artifacts: readonly ArtifactDigest[] }[] => {
    const look = conversation
      .task(captured.edge.callee, task)
      ?.observations.slice(-lastLooks)
      .findLast(({ kind, artifacts }) => kind === 'task' && artifacts?.[0] !== undefined);
    return look?.artifacts === undefined || !seenBefore(look, captured)
      ? []
      : [{ task, artifacts: look.artifacts }];
  });
}
