import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcError, grpcStream, rpc, rpcStream, v03 } from '@plugfest/verifier/examples';
import { shownState } from '../shown-state.ts';
import { subscriptionOf } from './subscription.ts';

const task = (state: string) => ({
  id: 'task-1',
  contextId: 'ctx-1',
  status: { state: `TASK_STATE_${state}` },
});
const name = 'tasks/task-1';
const get = (state: string) =>
  grpc({ version: '0.3', method: 'GetTask', request: { name }, response: task(state) });
const subscription = { version: '0.3', method: 'TaskSubscription', request: { name } } as const;

/** Refusals that have nothing to do with the state of the task; a finished one may have been forgotten. */
const others: ReadonlySet<string | undefined> = new Set([
  ...['UNAUTHENTICATED', 'PERMISSION_DENIED', 'UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'NOT_FOUND'],
  ...['CANCELLED', 'DEADLINE_EXCEEDED'],
]);

export default defineRule({
  id: 'SUB-009',
  level: 'MUST',
  party: 'server',
  summary: 'Up to 0.3 TaskSubscription to a finished task streams that task and ends.',
  spec: { '0.2': 'a2a.proto', '0.3': '3.2.2' },
  bindings: ['GRPC'],
  scope: 'exchange',
  about: ['SubscribeToTask'],
  messages: {
    refused: 'The task is finished, and the agent refuses the subscription with {status}',
    other: 'The subscription to a finished task does not give the task at its end',
    more: 'The subscription to a finished task gives {count} events',
  },
  why: 'A client that lost its stream comes back this way and finds out how the task ended. 1.0 refuses such subscriptions, so agents that serve both versions often refuse here too.',
  fix: 'Answer with the task as GetTask does, then end the stream with OK; refuse only where the service of 1.0 is called.',
  examples: {
    good: [[get('COMPLETED'), grpcStream({ ...subscription, events: [{ task: task('COMPLETED') }] })]],
    skip: [
      [get('WORKING')],
      [get('COMPLETED'), grpcError({ ...subscription, status: 'NOT_FOUND', message: 'Forgotten' })],
      [
        rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('completed') }),
        rpcStream({
          version: '0.3',
          method: 'tasks/resubscribe',
          params: { id: 'task-1' },
          events: [v03.task('completed')],
        }),
      ],
    ],
    bad: [
      {
        example: [
          get('COMPLETED'),
          grpcError({ ...subscription, status: 'FAILED_PRECONDITION', message: 'Over' }),
        ],
        messages: ['refused'],
      },
      {
        example: [get('COMPLETED'), grpcStream({ ...subscription, events: [] })],
        messages: ['other'],
      },
      {
        example: [
          get('COMPLETED'),
          grpcStream({
            ...subscription,
            events: [
              { task: task('COMPLETED') },
              {
                statusUpdate: {
                  taskId: 'task-1',
                  contextId: 'ctx-1',
                  status: task('COMPLETED').status,
                  final: true,
                },
              },
            ],
          }),
        ],
        messages: ['more'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const { response } = exchange;
    if (subscriptionOf(exchange, conversation)?.wasTerminal !== true || response === undefined) return false;
    if (!response.complete) return 'undecidable';
    return !others.has(response.grpcStatus?.name);
  },
  check: ({ response, payloads }, { report }) => {
    // The request has nothing but a name in it.
    const [first] = payloads;
    const status = response?.grpcStatus;
    if (status !== undefined && status.code !== 0 && first === undefined)
      report('refused', {
        data: { status: status.name ?? status.text },
        at: { side: 'response' },
        expected: 'the task',
        actual: status.name ?? status.text,
      });
    else if (first?.kind !== 'task' || !isTerminal(shownState(first)))
      report('other', { at: { side: 'response' }, expected: 'the task', actual: first?.kind });
    else if (payloads.length > 1)
      report('more', {
        data: { count: payloads.length },
        at: { side: 'response', event: 1 },
        expected: '1 event',
      });
  },
});
