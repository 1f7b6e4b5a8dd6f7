import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';

const hint = { responseHeaders: { 'Retry-After': '30' } } as const;
const busy = {
  at: '2026-01-01T00:00:00Z',
  ...rest({
    verb: 'GET',
    path: '/tasks/task-1',
    status: 503,
    response: restError(503, 'UNAVAILABLE', 'Too much to do'),
    ...hint,
  }),
};
const again = (at: string) => ({
  at,
  ...rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') }),
});
const busyRpc = {
  at: '2026-01-01T00:00:00Z',
  ...rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    status: 429,
    error: { code: -32050, message: 'Too many requests' },
    ...hint,
  }),
};
const againRpc = (at: string) => ({
  at,
  ...rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }),
});
const busyRest03 = {
  at: '2026-01-01T00:00:00Z',
  ...restV03({
    verb: 'GET',
    path: '/v1/tasks/task-1',
    status: 429,
    response: { error: 'Too many requests' },
    ...hint,
  }),
};
const againRest03 = (at: string) => ({
  at,
  ...restV03({ verb: 'GET', path: '/v1/tasks/task-1', response: v03.task('working') }),
});
const busy03 = {
  at: '2026-01-01T00:00:00Z',
  ...rpc({
    version: '0.3',
    method: 'tasks/get',
    params: { id: 'task-1' },
    status: 429,
    error: { code: -32050, message: 'Too many requests' },
    ...hint,
  }),
};
const again03 = (at: string) => ({
  at,
  ...rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') }),
});

export default defineRule({
  id: 'GUIDE-008',
  level: 'SHOULD',
  party: 'client',
  summary: 'A client that was told when to come again does not come before.',
  spec: {
    '0.1': 'Guide: Polling',
    '0.2': 'Guide: Polling',
    '0.3': 'Guide: Polling',
    '1.0': 'Guide: Polling',
  },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  messages: { early: 'The client comes again {early} s before the time that `Retry-After` named' },
  why: 'The agent is kept from recovering by the very calls that it cannot serve, and may lock the client out for longer.',
  fix: 'Keep the time for the agent as a whole, let all calls to it wait until then, and add some jitter.',
  examples: {
    good: [
      [busy, again('2026-01-01T00:00:31Z')],
      [busy03, again03('2026-01-01T00:00:40Z')],
      [busyRpc, againRpc('2026-01-01T00:00:40Z')],
      [busyRest03, againRest03('2026-01-01T00:00:40Z')],
    ],
    skip: [[busy], [again('2026-01-01T00:00:00Z')]],
    bad: [
      { example: [busy, again('2026-01-01T00:00:05Z')], messages: ['early'] },
      { example: [busy03, again03('2026-01-01T00:00:01Z')], messages: ['early'] },
      { example: [busyRpc, againRpc('2026-01-01T00:00:01Z')], messages: ['early'] },
      { example: [busyRest03, againRest03('2026-01-01T00:00:01Z')], messages: ['early'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const hinted = hintFor(exchange, conversation);
    if (hinted === undefined) return false;
    const { timesSynthetic, request } = exchange.captured;
    return timesSynthetic === true && request.atNs - hinted.atNs < tickNs ? 'undecidable' : true;
  },
  check: (exchange, { conversation, report }) => {
    const hinted = hintFor(exchange, conversation);
    if (hinted === undefined) return;
    const earlyNs = hinted.untilNs - exchange.captured.request.atNs;
    if (earlyNs <= toleranceNs) return;
    report('early', {
      data: { early: Math.round(earlyNs / 1e9) },
      at: { side: 'request' },
      expected: 'no call until then',
    });
  },
});

/** Shorter than this are the steps of a record without times. */
const tickNs = 1_000_000;
/** Clocks and networks are not that exact. */
const toleranceNs = 1_000_000_000;

/** The hint that the caller had got when it sent this request. */
function hintFor({ captured }: DecodedExchange, conversation: Conversation) {
  const { hint: given } = conversation.callsOf(captured.edge.caller, captured.edge.callee);
  return given !== undefined && given.atNs <= captured.request.atNs ? given : undefined;
}
