import { isTerminal } from '@plugfest/a2a';
import type { TaskHistory, TaskObservation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const send = (task: ReturnType<typeof v1.task>) => rpc({ method: 'SendMessage', params, result: { task } });
const bare = v1.task('COMPLETED', { artifacts: undefined });
const get = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') });

export default defineRule({
  id: 'SEND-007',
  level: 'MUST',
  party: 'server',
  summary: 'A send that returns a finished task returns all of its artifacts.',
  spec: { '1.0': '3.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    added: 'Get Task shows artifact {id}, which the finished task in the answer to the send lacked',
  },
  why: 'The client has waited for the result, reads it from the answer, and does not ask again: the artifact is lost to it.',
  fix: 'Build the answer from the stored task after its last artifact is in, not from the last event.',
  examples: {
    good: [
      [send(v1.task('COMPLETED')), get],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          response: { task: v1.task('COMPLETED') },
        }),
        rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('COMPLETED') }),
      ],
    ],
    skip: [
      [send(v1.task('COMPLETED'))],
      [send(v1.task('INPUT_REQUIRED')), get],
      [send(bare), rpc({ method: 'GetTask', params: { id: 'task-1' }, result: bare })],
    ],
    bad: [
      { example: [send(bare), get], messages: ['added'] },
      {
        example: [
          send(v1.task('COMPLETED')),
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            response: v1.task('COMPLETED', {
              artifacts: [v1.artifact('answer'), v1.artifact('sources', { artifactId: 'artifact-2' })],
            }),
          }),
        ],
        messages: ['added'],
      },
    ],
  },
  when: (task) => {
    const { returned, stored } = answerAndStore(task) ?? {};
    return (returned?.artifacts?.length ?? 0) + (stored?.artifacts?.length ?? 0) > 0;
  },
  check: (task, { report }) => {
    const { returned, stored } = answerAndStore(task) ?? {};
    if (returned === undefined || stored === undefined) return;
    const known = new Set(returned.artifacts?.map(({ artifactId }) => artifactId));
    stored.artifacts?.forEach(({ artifactId }, i) => {
      if (artifactId === undefined || known.has(artifactId)) return;
      report('added', {
        exchange: stored.exchange,
        at: { side: stored.side, pointer: `${stored.pointer}/artifacts/${i}` },
        data: { id: artifactId },
        expected: 'an artifact of the answer',
      });
    });
  },
});

/** The finished task in the answer to a send, and in a Get Task after it. A finished task gets nothing new. */
function answerAndStore({
  observations,
}: TaskHistory): { readonly returned: TaskObservation; readonly stored: TaskObservation } | undefined {
  const looks = observations.filter(({ state, version }) => isTerminal(state) && version === '1.0');
  const returned = looks.find(({ channel }) => channel === 'send');
  if (returned === undefined) return undefined;
  const stored = looks.find(
    ({ channel, exchange }) => channel === 'get' && exchange.startNs >= returned.atNs,
  );
  return stored && { returned, stored };
}
