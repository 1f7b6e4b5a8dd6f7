import { isInterrupted, isTerminal } from '@plugfest/a2a';
import type { TaskHistory, TaskObservation, TaskStream } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpc, grpcBytes, grpcFrame, restStream, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { v03 as legacy } from '../grpc/calls.ts';
import { message, text, varint } from '../grpc/wire-bytes.ts';

const broken = {
  at: '2026-01-01T00:00:00Z',
  ...rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello') },
    events: [{ task: v1.task('WORKING') }],
    end: 'reset' as const,
  }),
};
const get = {
  at: '2026-01-01T00:00:10Z',
  ...rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') }),
};
/** Another call, much later: the capture went on. */
const later = {
  at: '2026-01-01T00:05:00Z',
  ...rpc({
    method: 'SendMessage',
    params: { message: v1.message('something else') },
    result: { task: v1.task('COMPLETED', { id: 'task-2', contextId: 'ctx-2' }) },
  }),
};

/** The beginning of a gRPC stream of the task, broken off. */
const brokenGrpc = (version: '0.3' | '1.0') => ({
  at: '2026-01-01T00:00:00Z',
  ...grpcBytes({
    version,
    method: version === '1.0' ? 'SubscribeToTask' : 'TaskSubscription',
    request: [grpcFrame(version === '1.0' ? text(2, 'task-1') : text(1, 'tasks/task-1'))],
    response: [grpcFrame(message(1, text(1, 'task-1'), text(2, 'ctx-1'), message(3, varint(1, working))))],
    trailers: {},
    end: 'reset',
  }),
});
/** TASK_STATE_WORKING, in both protos. */
const working = 2;
const getGrpc = {
  at: '2026-01-01T00:00:10Z',
  ...grpc({ method: 'GetTask', request: { id: 'task-1' }, response: v1.task('COMPLETED') }),
};
const getGrpc03 = {
  at: '2026-01-01T00:00:10Z',
  ...grpc({
    version: '0.3',
    method: 'GetTask',
    request: { name: 'tasks/task-1' },
    response: legacy.task,
  }),
};
const laterGrpc = {
  at: '2026-01-01T00:05:00Z',
  ...grpc({
    method: 'SendMessage',
    request: { message: v1.message('something else') },
    response: { task: v1.task('COMPLETED', { id: 'task-2', contextId: 'ctx-2' }) },
  }),
};
const laterGrpc03 = {
  at: '2026-01-01T00:05:00Z',
  ...grpc({
    version: '0.3',
    method: 'SendMessage',
    request: { message: legacy.message },
    response: { task: { ...legacy.task, id: 'task-2', contextId: 'ctx-2' } },
  }),
};

export default defineRule({
  id: 'GUIDE-012',
  level: 'INFO',
  party: 'client',
  summary: 'A client whose stream breaks subscribes again, or asks for the task.',
  spec: {
    '0.2': 'Guide: Common mistakes, 9',
    '0.3': 'Guide: Common mistakes, 9',
    '1.0': 'Guide: Common mistakes, 9',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    lost: 'The stream broke while task {task} was {state}, and the client never asked for it again',
  },
  why: 'The work goes on and its result is lost to the user, who starts it once more. The user may also have gone away, so it is noted only.',
  fix: 'Store the task id with the first event, and when a stream breaks, call SubscribeToTask, or Get Task with growing delays.',
  examples: {
    good: [
      [broken, get, later],
      [brokenGrpc('1.0'), getGrpc, laterGrpc],
      [brokenGrpc('0.3'), getGrpc03, laterGrpc03],
    ],
    skip: [
      [get, later],
      // The client may still come back.
      [broken],
      [
        {
          at: '2026-01-01T00:00:00Z',
          ...restStream({
            verb: 'POST',
            path: '/message:stream',
            body: { message: v1.message('hello') },
            events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')],
          }),
        },
        later,
      ],
    ],
    bad: [
      { example: [broken, later], messages: ['lost'] },
      { example: [brokenGrpc('1.0'), laterGrpc], messages: ['lost'] },
      { example: [brokenGrpc('0.3'), laterGrpc03], messages: ['lost'] },
    ],
  },
  when: (task, { conversation }) => {
    const stream = brokenStream(task);
    if (stream === undefined) return false;
    if (cameBack(task, stream)) return true;
    const { startNs } = stream.exchange;
    const endNs = stream.endedAtNs ?? startNs;
    if (conversation.observedUntilNs - endNs < patienceNs) return 'undecidable';
    return conversation.gapBetween(startNs, endNs + patienceNs) ? 'undecidable' : true;
  },
  check: (task, { report }) => {
    const stream = brokenStream(task);
    if (stream === undefined || cameBack(task, stream)) return;
    report('lost', {
      exchange: stream.exchange,
      data: { task: task.id, state: lastOf(task, stream)?.state },
      at: { side: 'response' },
      expected: 'SubscribeToTask or Get Task',
    });
  },
});

/** A client that means to come back does so within this time. */
const patienceNs = 60_000_000_000;

const lastOf = ({ observations }: TaskHistory, { exchange }: TaskStream): TaskObservation | undefined =>
  observations.findLast((look) => look.exchange.id === exchange.id && look.state !== undefined);

/** The last stream of the task, where it broke off while the task was at work. */
function brokenStream(task: TaskHistory): TaskStream | undefined {
  const stream = task.streams?.at(-1);
  if (stream === undefined || stream.complete || stream.endedAtNs === undefined) return undefined;
  const state = lastOf(task, stream)?.state;
  return state === undefined || isTerminal(state) || isInterrupted(state) ? undefined : stream;
}

/** Somebody asked for the task, or heard of it otherwise, after the stream had begun. */
const cameBack = ({ actions, observations }: TaskHistory, { exchange }: TaskStream): boolean =>
  actions.some((action) => action.exchange.id !== exchange.id && action.atNs >= exchange.startNs) ||
  observations.some((look) => look.exchange.id !== exchange.id && look.exchange.startNs >= exchange.startNs);
