import type {
  ContextHistory,
  Conversation,
  ExchangeRef,
  TaskHistory,
  TaskObservation,
} from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const ask = rpc({
  method: 'SendMessage',
  params: { message: v1.message('a flight') },
  result: { task: v1.task('INPUT_REQUIRED') },
});
const answerWith = (more: Parameters<typeof v1.message>[1], id: string) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message('to Rome', { contextId: 'ctx-1', ...more }) },
    result: { task: v1.task('COMPLETED', { id }) },
  });

const waits = v1.status('INPUT_REQUIRED', { message: v1.reply('Where?', { taskId: 'task-2' }) });

/** Tasks of a context that are compared; a long conversation has thousands. */
const comparedTasks = 64;

export default defineRule({
  id: 'CTX-011',
  level: 'MUST',
  party: 'client',
  summary: 'The answer to a task that waits for input names this task.',
  spec: { '0.3': '9.4', '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'context',
  messages: {
    abandoned: 'Task {task} waits for input; the next message in its context names no task and starts {next}',
  },
  why: 'The agent starts anew without what was said, and asks again; the waiting task stays open for ever. A client may also leave a task and begin another on purpose, so this is a warning.',
  fix: 'Send `taskId` and `contextId` of the waiting task with the answer; cancel the task where nobody wants to answer.',
  examples: {
    good: [
      [ask, answerWith({ taskId: 'task-1' }, 'task-1')],
      [
        ask,
        answerWith({ taskId: 'task-1' }, 'task-1'),
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('and back', { contextId: 'ctx-1', referenceTaskIds: ['task-1'] }) },
          result: { task: v1.task('COMPLETED', { id: 'task-2' }) },
        }),
      ],
    ],
    skip: [
      [ask],
      [
        ask,
        rpc({ method: 'GetTask', params: { id: 'task-2' }, result: v1.task('WORKING', { id: 'task-2' }) }),
      ],
      [ask, { ...answerWith({}, 'task-2'), from: 'another client' }],
      // The answer to the task may be in what was lost.
      [
        ask,
        rpcStream({
          method: 'SubscribeToTask',
          params: { id: 'task-9' },
          events: [],
          raw: 'data: {',
          end: 'reset',
        }),
        answerWith({}, 'task-2'),
      ],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      { example: [ask, answerWith({}, 'task-2')], messages: ['abandoned'] },
      {
        example: [
          ask,
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('to Rome', { contextId: 'ctx-1' }) },
            events: [{ task: v1.task('COMPLETED', { id: 'task-2' }) }],
          }),
        ],
        messages: ['abandoned'],
      },
      // Neither of two tasks is answered.
      {
        example: [
          ask,
          rpc({
            method: 'SendMessage',
            params: { message: v1.message('and a hotel', { contextId: 'ctx-1' }) },
            result: { task: v1.task('INPUT_REQUIRED', { id: 'task-2', status: waits }) },
          }),
          rpc({
            method: 'SendMessage',
            params: { message: v1.message('near the station', { contextId: 'ctx-1' }) },
            result: { task: v1.task('COMPLETED', { id: 'task-3' }) },
          }),
        ],
        messages: ['abandoned', 'abandoned'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('a flight') },
            result: v03.task('input-required'),
          }),
          rpc({
            version: '0.3',
            method: 'message/send',
            params: { message: v03.message('to Rome', { contextId: 'ctx-1' }) },
            result: v03.task('completed', { id: 'task-2' }),
          }),
        ],
        messages: ['abandoned'],
      },
    ],
  },
  when: (context, { conversation }) => {
    const fates = waiting(context, conversation).map(({ fate }) => fate);
    if (fates.some((fate) => fate === 'seen to' || typeof fate === 'object')) return true;
    return fates.includes('unknown') ? 'undecidable' : false;
  },
  check: (context, { conversation, report }) => {
    for (const { id, fate } of waiting(context, conversation)) {
      if (typeof fate !== 'object') continue;
      report('abandoned', {
        outcome: 'warn',
        exchange: fate.exchange,
        data: { task: id, next: fate.id },
        at: { side: 'request' },
        expected: id,
      });
    }
  },
});

interface Successor {
  readonly id: string;
  readonly exchange: ExchangeRef;
}

/** What became of a task that waited: somebody saw to it, another one was started in its place, or one cannot know. */
type Fate = 'seen to' | 'unknown' | Successor | undefined;

/** Tasks of the context that waited for input, with what became of them. */
function waiting(context: ContextHistory, conversation: Conversation) {
  return context.taskIds.slice(0, comparedTasks).flatMap((id) => {
    const task = conversation.task(context.agent, id);
    const pause = task && pauseOf(task, conversation);
    if (pause === undefined) return [];
    const { look } = pause;
    return [{ id, fate: fateOf(pause, successor(context, conversation, look), conversation) }];
  });
}

/** The first look at a task that waits for input, and whether somebody saw to it. */
interface Pause {
  readonly look: TaskObservation;
  readonly seenTo: boolean;
}

/** From so many looks on it is remembered: a stream can put one task into thousands of contexts. */
const manyLooks = 64;
const pauses = new WeakMap<Conversation, Map<string, Pause | undefined>>();

function pauseOf(task: TaskHistory, conversation: Conversation): Pause | undefined {
  if (task.observations.length < manyLooks) return findPause(task);
  const known = pauses.get(conversation) ?? new Map<string, Pause | undefined>();
  pauses.set(conversation, known);
  const key = `${task.observations.length} ${task.agent} ${task.id}`;
  if (!known.has(key)) known.set(key, findPause(task));
  return known.get(key);
}

function findPause(task: TaskHistory): Pause | undefined {
  const look = task.observations.find(({ state }) => state === 'TASK_STATE_INPUT_REQUIRED');
  return look && { look, seenTo: touched(task, look) };
}

function fateOf({ look, seenTo }: Pause, next: Successor | undefined, conversation: Conversation): Fate {
  if (seenTo) return 'seen to';
  // The answer to the task may not have been recorded.
  return next !== undefined && conversation.gapBetween(look.atNs, next.exchange.startNs) ? 'unknown' : next;
}

/** Somebody answered, cancelled or watched the task afterwards, or it went on by itself. */
function touched({ actions, observations }: TaskHistory, look: TaskObservation): boolean {
  const last = observations.findLast(({ state }) => state !== undefined);
  return actions.some(({ atNs }) => atNs >= look.atNs) || last?.state !== look.state;
}

/** The first task that the same client started in the context after that moment. */
function successor(
  { agent, taskIds }: ContextHistory,
  conversation: Conversation,
  look: TaskObservation,
): Successor | undefined {
  for (const id of taskIds.slice(0, comparedTasks)) {
    const first = conversation.task(agent, id)?.observations[0];
    if (first?.channel !== 'send' && first?.channel !== 'stream') continue;
    const { exchange } = first;
    if (exchange.startNs < look.atNs || exchange.edge.caller !== look.exchange.edge.caller) continue;
    return { id, exchange };
  }
  return undefined;
}
