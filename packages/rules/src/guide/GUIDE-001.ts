import { isTerminal } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { taskBefore } from '../task-before.ts';

const start = Date.UTC(2026, 0, 1);

/** Polls of one task at these milliseconds. */
const polls = (times: readonly number[]): Example =>
  times.map((ms) => ({
    at: new Date(start + ms).toISOString(),
    ...rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }),
  }));
const every = (ms: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => i * ms);

export default defineRule({
  id: 'GUIDE-001',
  level: 'SHOULD',
  party: 'client',
  summary: 'A client that polls a task waits between its polls, and longer each time.',
  spec: { '0.2': 'Guide: Polling', '0.3': 'Guide: Polling', '1.0': 'Guide: Polling' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetTask'],
  messages: {
    hammered: 'The client asks for task {task} {count} times in a row within {ms} ms each',
    steady: 'The client asks for task {task} {count} times in a row, always after {ms} ms',
  },
  why: 'Many clients that ask at the pace of their loops keep an agent busy with answering that nothing has changed. A steady pace that is slower is noted only.',
  fix: 'Double the delay after each poll up to some seconds, with jitter, and follow hints such as `Retry-After`; or subscribe, or register a webhook.',
  examples: {
    good: [
      polls([0, 500, 1500, 3500, 7500, 15_500]),
      // A few quick ones do no harm, nor does a pace that is slow or uneven.
      polls(every(20, 5)),
      polls(every(2000, 14)),
      polls([...every(1000, 7), ...every(1000, 7).map((ms) => ms + 600)].sort((a, b) => a - b)),
      // Each client has its own pace.
      polls(every(20, 9)).map((poll, i) => ({ ...poll, from: `client ${i % 3}` })),
      [
        {
          at: '2026-01-01T00:00:00Z',
          ...rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            result: v03.task('working'),
          }),
        },
        {
          at: '2026-01-01T00:00:02Z',
          ...rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            result: v03.task('working'),
          }),
        },
      ],
    ],
    skip: [polls([0]), [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })]],
    bad: [
      { example: polls(every(20, 9)), messages: ['hammered'], outcomes: ['warn'] },
      { example: polls(every(400, 14)), messages: ['steady'], outcomes: ['info'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const [last] = delaysBefore(exchange, conversation);
    if (last === undefined) return false;
    if (isTerminal(taskBefore(exchange, conversation, polledTask(exchange))?.state)) return false;
    // Closer than the steps of a record without times: it shows the order, and no delay.
    return last < tickNs && exchange.captured.timesSynthetic === true ? 'undecidable' : true;
  },
  check: (exchange, { conversation, report }) => {
    const delays = delaysBefore(exchange, conversation);
    const task = polledTask(exchange);
    const at = { side: 'request', pointer: exchange.request.pointer } as const;
    const fast = runOf(delays, (delay) => delay >= tickNs && delay <= hastyNs);
    if (fast === hastyRun) {
      report('hammered', {
        data: { task, count: fast + 1, ms: hastyNs / tickNs },
        at,
        expected: 'growing delays',
      });
      return;
    }
    const [last = 0] = delays;
    const steady = runOf(
      delays,
      (delay) => delay > hastyNs && delay <= slowNs && delay <= last * 1.1 && delay >= last / 1.1,
    );
    if (steady === steadyRun)
      report('steady', {
        outcome: 'info',
        data: { task, count: steady + 1, ms: Math.round(last / tickNs) },
        at,
        expected: 'growing delays',
      });
  },
});

const tickNs = 1_000_000;
/** "Every few milliseconds" is what the guide warns of. */
const hastyNs = 50 * tickNs;
/** Slower than this, a steady pace does no harm. */
const slowNs = 1000 * tickNs;
/** So many delays in a row make a habit. Each run is told once, when it has become so long. */
const hastyRun = 5;
const steadyRun = 10;
/** How many earlier requests are looked at. */
const lookedAt = 48;

const runOf = (delays: readonly number[], belongs: (delay: number) => boolean): number => {
  const end = delays.findIndex((delay) => !belongs(delay));
  return end === -1 ? delays.length : end;
};

function polledTask({ operation, request }: Subjects['exchange']): string | undefined {
  if (operation !== 'GetTask' || !isJsonObject(request.params)) return undefined;
  const { id } = request.params;
  return typeof id === 'string' ? id : undefined;
}

/** Delays before this poll, newest first, up to the last request of the same caller that was something else. */
function delaysBefore(exchange: Subjects['exchange'], conversation: Conversation): readonly number[] {
  const { edge, request } = exchange.captured;
  const actions = conversation.task(edge.callee, polledTask(exchange))?.actions ?? [];
  const delays: number[] = [];
  let next = request.atNs;
  for (let at = actions.length - 1; at >= Math.max(0, actions.length - lookedAt); at -= 1) {
    const action = actions[at];
    if (action === undefined || action.exchange.edge.caller !== edge.caller) continue;
    if (action.operation !== 'GetTask') break;
    delays.push(next - action.exchange.startNs);
    next = action.exchange.startNs;
  }
  return delays;
}
