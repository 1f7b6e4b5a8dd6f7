import { isTerminal } from '@plugfest/a2a';
import type { Json, TaskState } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcStream, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { lastShownState, shownState } from '../shown-state.ts';

const message = { messageId: 'm-hello', role: 'ROLE_USER', content: [{ text: 'hello' }] };
const reply = { messageId: 'r-hi', contextId: 'ctx-1', role: 'ROLE_AGENT', content: [{ text: 'hi' }] };
const statusOf = (state: string) => ({ state: `TASK_STATE_${state}` });
const task = (state: string) => ({ task: { id: 'task-1', contextId: 'ctx-1', status: statusOf(state) } });
const update = (state: string) => ({
  statusUpdate: {
    taskId: 'task-1',
    contextId: 'ctx-1',
    status: statusOf(state),
    final: state === 'COMPLETED',
  },
});
const streamed = (events: readonly Json[], status?: string | null) => [
  grpcStream({
    version: '0.3',
    method: 'SendStreamingMessage',
    request: { message },
    events,
    ...(status === undefined ? {} : { status }),
  }),
];

/** The states at which the stream may end. Authentication takes place elsewhere and ends nothing (0.3 `a2a.proto`). */
const isResting = (state: TaskState): boolean => state === 'TASK_STATE_INPUT_REQUIRED' || isTerminal(state);

export default defineRule({
  id: 'SSE-032',
  level: 'MUST',
  party: 'server',
  summary: 'A gRPC stream of 0.3 is one Message, or a Task and its updates until the task is at rest.',
  spec: { '0.3': '3.2.2' },
  bindings: ['GRPC'],
  scope: 'stream',
  messages: {
    opening: 'The stream begins with {found} instead of a Task or a Message',
    mixed: 'The stream has a Message beside other events',
    early: 'The stream ends while the task is {state}',
    late: 'The stream goes on after the task was {state}',
  },
  why: 'Clients take a Message for the whole answer, wait for a Task before they read updates, and take the end of the stream for that of the task. The proto says only that a stream should begin so, and breaks off where it comes to streams that end early, so both are a warning.',
  fix: 'Send either one Message, or first the Task and then its updates; end the stream when the task is terminal or needs input.',
  examples: {
    good: [
      streamed([task('WORKING'), update('COMPLETED')]),
      streamed([{ message: reply }]),
      streamed([task('WORKING'), update('INPUT_REQUIRED')]),
    ],
    skip: [
      [
        grpc({
          version: '0.3',
          method: 'GetTask',
          request: { name: 'tasks/task-1' },
          response: task('WORKING').task,
        }),
      ],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
      [
        grpcStream({
          method: 'SendStreamingMessage',
          request: { message: v1.message('hello') },
          events: [{ task: v1.task('COMPLETED') }],
        }),
      ],
    ],
    bad: [
      {
        example: streamed([update('WORKING'), update('COMPLETED')]),
        messages: ['opening'],
        outcomes: ['warn'],
      },
      { example: streamed([task('WORKING'), { message: reply }, update('COMPLETED')]), messages: ['mixed'] },
      {
        example: streamed([{ message: reply }, { message: { ...reply, messageId: 'r-2' } }]),
        messages: ['mixed'],
      },
      { example: streamed([task('WORKING')]), messages: ['early'], outcomes: ['warn'] },
      { example: streamed([task('COMPLETED'), update('WORKING')], null), messages: ['late'] },
    ],
  },
  when: ({ events, payloads, complete }) => {
    if (payloads.length > 0) return true;
    return !complete && events.some(({ json }) => json.state !== 'ok') ? 'undecidable' : false;
  },
  check: (stream, { report }) => {
    const { payloads, operation, complete, events, exchange } = stream;
    const at = ({ event, pointer }: (typeof payloads)[number]) =>
      ({ side: 'response', event: event ?? 0, pointer }) as const;
    const [first] = payloads;
    if (first === undefined) return;
    const isUpdate = first.kind === 'statusUpdate' || first.kind === 'artifactUpdate';
    // A subscription joins a task that its client knows.
    if (isUpdate && first.event === 0 && operation === 'SendStreamingMessage')
      report('opening', {
        outcome: 'warn',
        data: { found: first.kind },
        at: at(first),
        expected: 'a Task or a Message',
      });
    const beside = payloads.findLast(({ kind }) => kind === 'message');
    if (beside !== undefined && payloads.length > 1) {
      report('mixed', { at: at(beside) });
      return;
    }
    const over = payloads.findIndex((payload) => isTerminal(shownState(payload)));
    const next = over === -1 ? undefined : payloads[over + 1];
    if (next !== undefined)
      report('late', { data: { state: shownState(payloads[over] ?? next) }, at: at(next) });
    const state = lastShownState(stream.payloads);
    const readToTheEnd = complete && events.every(({ json }) => json.state === 'ok');
    const endedWell = exchange.response?.grpcStatus?.code === 0;
    if (next === undefined && readToTheEnd && endedWell && state !== undefined && !isResting(state))
      report('early', { outcome: 'warn', data: { state }, at: { side: 'response' }, actual: state });
  },
});
