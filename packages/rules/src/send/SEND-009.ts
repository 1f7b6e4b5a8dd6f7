import type { StreamSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { configurationOf } from '../sent-message.ts';
import { lastShownState } from '../shown-state.ts';
import { followsTask } from '../sse/opening.ts';

const params = { message: v1.message('hello'), configuration: { returnImmediately: true } };
const send = { method: 'SendStreamingMessage', params } as const;
const working = { task: v1.task('WORKING') };
const failed = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Failed' } })}\n\n`;

const atWork: ReadonlySet<unknown> = new Set(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);

/** The client asked a streaming call to return at once. */
const asksToReturn = ({ exchange }: StreamSubject): boolean =>
  configurationOf(exchange)?.returnImmediately === true;

export default defineRule({
  id: 'SEND-009',
  level: 'MUST',
  party: 'server',
  summary: '`returnImmediately` changes nothing for a stream: it goes on until the task stops.',
  spec: { '1.0': '3.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { cut: 'The stream was asked with `returnImmediately`, and ends while the task is {state}' },
  why: 'A client that sets the flag for all its sends hears nothing of the task any more, and takes the end of the stream for the end of the work.',
  fix: 'Look at `returnImmediately` in `SendMessage` only; keep a stream open until the task is terminal or interrupted.',
  examples: {
    good: [
      [rpcStream({ ...send, events: [working, v1.statusUpdate('COMPLETED')] })],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: params,
          events: [working, v1.statusUpdate('INPUT_REQUIRED')],
        }),
      ],
    ],
    skip: [
      [
        rpcStream({
          ...send,
          params: { message: v1.message('hello') },
          events: [working, v1.statusUpdate('COMPLETED')],
        }),
      ],
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [rpcStream({ ...send, events: [working], end: 'client-abort' })],
      // The error is the end.
      [rpcStream({ ...send, events: [working], raw: failed })],
    ],
    bad: [{ example: [rpcStream({ ...send, events: [working] })], messages: ['cut'] }],
  },
  when: (stream, { conversation }) => {
    if (!asksToReturn(stream) || !followsTask(stream)) return false;
    const last = lastShownState(stream.payloads);
    if (last === undefined || stream.events.some(({ error }) => error !== undefined)) return false;
    const readToTheEnd = stream.complete && stream.events.at(-1)?.json.state === 'ok';
    if (!readToTheEnd) return 'undecidable';
    // The event that is missed may be one that was not recorded.
    const { request, end } = stream.exchange.captured;
    const isCut = atWork.has(last) && conversation.gapBetween(request.atNs, end.atNs ?? request.atNs);
    return isCut ? 'undecidable' : true;
  },
  check: (stream, { report }) => {
    const state = lastShownState(stream.payloads);
    if (!atWork.has(state)) return;
    report('cut', {
      data: { state },
      at: { side: 'response', event: stream.events.length - 1 },
      expected: 'a terminal or interrupted state before the end',
      actual: state,
    });
  },
});
