import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { seenBefore } from '../before.ts';
import type { TaskPayload } from '../sent-message.ts';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: { includeArtifacts: true } } as const;
const bare = listPage([listedTask(1)]);
const full = listPage([listedTask(1, { artifacts: [v1.artifact('answer')] })]);
const get = rpc({
  method: 'GetTask',
  params: { id: 'task-1' },
  result: listedTask(1, { artifacts: [v1.artifact('answer')] }),
});
const getBare = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: listedTask(1) });

export default defineRule({
  id: 'LIST-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'Where the client asks for artifacts, listed tasks come with those that they have.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { missing: 'Task {task} is listed without artifacts, which were asked for and which it has' },
  why: 'The client takes the task for one without a result, or has to get each of the listed tasks by itself.',
  fix: 'Load the artifacts of the tasks on the page when `includeArtifacts` is true.',
  examples: {
    good: [
      [get, rpc({ ...list, result: full })],
      [rest({ verb: 'GET', path: '/tasks?includeArtifacts=true', response: full })],
    ],
    skip: [
      [get, rpc({ method: 'ListTasks', params: {}, result: bare })],
      // An empty list may be left out, and nobody has seen that this task has artifacts.
      [rpc({ ...list, result: bare })],
      [getBare, rpc({ ...list, result: bare })],
    ],
    bad: [
      { example: [get, rpc({ ...list, result: bare })], messages: ['missing'] },
      { example: [get, getBare, rpc({ ...list, result: bare })], messages: ['missing'] },
      {
        example: [
          get,
          rest({
            verb: 'GET',
            path: '/tasks?includeArtifacts=true',
            response: listPage([listedTask(1, { artifacts: [] })]),
          }),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    askedForArtifacts(exchange).some((payload) => hasSome(payload) || had(payload, exchange, conversation)),
  check: (exchange, { conversation, report }) => {
    for (const payload of askedForArtifacts(exchange)) {
      if (hasSome(payload) || !had(payload, exchange, conversation)) continue;
      report('missing', {
        data: { task: payload.task.id },
        at: { side: 'response', pointer: `${payload.pointer}/artifacts` },
        expected: 'the artifacts of the task',
      });
    }
  },
});

function askedForArtifacts(exchange: DecodedExchange): readonly TaskPayload[] {
  const listing = listingOf(exchange);
  return listing?.asked.includeArtifacts === true ? listing.tasks : [];
}

const hasSome = ({ task }: TaskPayload): boolean => (task.artifacts?.length ?? 0) > 0;

/** Looks at a task that are asked whether it has artifacts; who polls makes thousands. */
const lastLooks = 64;

/** The agent has shown artifacts of the task before. */
const had = ({ task }: TaskPayload, { captured }: DecodedExchange, conversation: Conversation): boolean =>
  conversation
    .task(captured.edge.callee, task.id)
    ?.observations.slice(-lastLooks)
    .some((look) => (look.artifacts?.length ?? 0) > 0 && seenBefore(look, captured)) === true;
