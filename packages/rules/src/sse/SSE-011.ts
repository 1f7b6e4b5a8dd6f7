import { isTerminal } from '@plugfest/a2a';
import type { TaskState } from '@plugfest/model';
import type { StreamSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { configurationOf } from '../sent-message.ts';
import { lastShownState, shownState } from '../shown-state.ts';
import { followsTask } from './opening.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const post = { verb: 'POST', path: '/message:stream', body: params } as const;
const subscribe = { method: 'SubscribeToTask', params: { id: 'task-1' } } as const;
const working = { task: v1.task('WORKING') };

export default defineRule({
  id: 'SSE-011',
  level: 'MUST',
  party: 'server',
  summary: 'A stream that ends by itself leaves its task terminal or interrupted, never at work.',
  spec: { '1.0': '3.1.2, 3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { early: 'The stream ends while the task is {state}' },
  why: 'A client cannot tell this from a finished task: it reports a half answer, or waits for events that never come.',
  fix: 'Keep the stream open until the task is terminal or interrupted; report a failure as TASK_STATE_FAILED or as an error event.',
  examples: {
    good: [
      [rpcStream({ ...send, events: [working, v1.statusUpdate('COMPLETED')] })],
      [restStream({ ...post, events: [working, v1.statusUpdate('INPUT_REQUIRED')] })],
      [rpcStream({ ...subscribe, events: [working, v1.statusUpdate('COMPLETED')] })],
    ],
    skip: [
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [rpcStream({ ...send, events: [working], end: 'client-abort' })],
      [rpcStream({ ...send, events: [working], end: 'reset' })],
    ],
    bad: [
      {
        example: [rpcStream({ ...send, events: [working, v1.artifactUpdate('half')] })],
        messages: ['early'],
      },
      { example: [restStream({ ...post, events: [{ task: v1.task('SUBMITTED') }] })], messages: ['early'] },
    ],
  },
  when: (stream, { conversation }) => {
    const last = lastState(stream);
    if (!followsTask(stream) || last === undefined) return false;
    if (stream.events.some(({ error }) => error !== undefined)) return false;
    const readToTheEnd = stream.complete && stream.events.at(-1)?.json.state === 'ok';
    if (!readToTheEnd) return 'undecidable';
    // The event that is missed may be one that was not recorded.
    const { request, end } = stream.exchange.captured;
    const isCut = atWork.has(last) && conversation.gapBetween(request.atNs, end.atNs ?? request.atNs);
    return isCut ? 'undecidable' : true;
  },
  check: (stream, { report }) => {
    const last = lastState(stream);
    if (last === undefined || !atWork.has(last) || isSaidElsewhere(stream)) return;
    report('early', {
      data: { state: last },
      at: { side: 'response', event: stream.events.length - 1 },
      expected: 'a terminal or interrupted state before the end',
      actual: last,
    });
  },
});

/** The client asked to return at once, for which an agent may have ended the stream: SEND-009. */
function isSaidElsewhere({ exchange, payloads }: StreamSubject): boolean {
  const shown = lastShownState(payloads);
  return configurationOf(exchange)?.returnImmediately === true && shown !== undefined && atWork.has(shown);
}

const atWork: ReadonlySet<TaskState> = new Set<TaskState>(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);

/** The last state that the stream showed, up to a terminal one: what follows that is SSE-010's matter. */
function lastState({ payloads }: StreamSubject): TaskState | undefined {
  const states = payloads.map(shownState);
  return states.find((state) => isTerminal(state)) ?? states.findLast((state) => state !== undefined);
}
