import { isTerminal } from '@plugfest/a2a';
import type { Conversation, StreamSubject } from '@plugfest/verifier';
import { defineRule, knownEventTimes } from '@plugfest/verifier';
import { restStream, rpcStream, timed, v1 } from '@plugfest/verifier/examples';
import { sentMessage } from '../sent-message.ts';
import { shownState, shownStatus } from '../shown-state.ts';

/** By the agent's own clock so much lies between first and last event of a stream that can be judged. */
const spreadMs = 2000;
/** Events that arrive within this time were sent together, network and proxy included. */
const togetherNs = 100_000_000;

/** First and last status of a stream, by the agent's clock and by the time of arrival. */
interface Progress {
  readonly generatedMs: number;
  readonly arrivedNs: number;
  readonly last: { readonly event: number; readonly pointer: string };
  /** The capture says when events arrived: it was recorded, or its source has given the time. */
  readonly timesKnown: boolean;
}

function progressOf({ exchange, payloads, events }: StreamSubject): Progress | undefined {
  const stamped = payloads.flatMap((payload) => {
    const ms = Date.parse(shownStatus(payload)?.timestamp ?? '');
    return Number.isNaN(ms) ? [] : [{ payload, ms }];
  });
  const [first, last] = [stamped[0], stamped.at(-1)];
  if (first === undefined || last === undefined || !isTerminal(shownState(last.payload))) return undefined;
  const { captured } = exchange;
  const { event = 0, pointer } = last.payload;
  return {
    generatedMs: last.ms - first.ms,
    arrivedNs: last.payload.atNs - first.payload.atNs,
    last: { event, pointer },
    timesKnown: knownEventTimes(captured, events) !== undefined,
  };
}

/** The stream tells a new task from its beginning: what an older one shows was stamped before the call. */
function isOfNewTask({ exchange, operation }: StreamSubject, conversation: Conversation): boolean {
  const message = sentMessage(exchange)?.message;
  if (operation !== 'SendStreamingMessage' || message === undefined || message.taskId) return false;
  const { caller, callee } = exchange.captured.edge;
  return (
    message.messageId !== undefined &&
    conversation.firstUseOfMessage(caller, callee, message.messageId) === undefined
  );
}

const params = { message: v1.message('hello') };
const at = (state: string, second: number) => ({
  status: v1.status(state, { timestamp: `2026-01-01T00:00:0${second}.000Z` }),
});
const events = [
  { task: v1.task('WORKING', at('WORKING', 1)) },
  v1.statusUpdate('COMPLETED', at('COMPLETED', 6)),
];
const quick = [
  { task: v1.task('WORKING', at('WORKING', 1)) },
  v1.statusUpdate('COMPLETED', at('COMPLETED', 2)),
];
const send = { method: 'SendStreamingMessage', params, events } as const;
const post = { verb: 'POST', path: '/message:stream', body: params, events } as const;

export default defineRule({
  id: 'SSE-027',
  level: 'MUST',
  party: 'server',
  summary: 'Events are sent as they happen, not kept until the work is done.',
  spec: { '1.0': '3.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: {
    held: 'The events tell of {seconds} s of work, and all of them arrive within {ms} ms, when it is over',
  },
  why: 'The user sees nothing for the whole time and takes the agent for dead; a client with a time limit gives up, or a proxy does.',
  fix: 'Flush each event when it is made, and turn off compression and buffering for the response.',
  examples: {
    good: [[timed(rpcStream(send), 0, [1, 6])], [timed(restStream(post), 0, [1, 6])]],
    skip: [[timed(rpcStream({ ...send, events: quick }), 0, [1, 2])], [rpcStream(send)]],
    bad: [
      { example: [timed(rpcStream(send), 0, [6, 6])], messages: ['held'] },
      { example: [timed(restStream(post), 0, [6, 6])], messages: ['held'] },
    ],
  },
  when: (stream, { conversation }) => {
    const progress = progressOf(stream);
    if (progress === undefined || progress.generatedMs < spreadMs) return false;
    if (!isOfNewTask(stream, conversation)) return false;
    return progress.timesKnown ? true : 'undecidable';
  },
  check: (stream, { report }) => {
    const progress = progressOf(stream);
    if (progress === undefined || progress.arrivedNs > togetherNs) return;
    const { generatedMs, arrivedNs, last } = progress;
    report('held', {
      data: { seconds: Math.round(generatedMs / 1000), ms: Math.round(arrivedNs / 1e6) },
      at: { side: 'response', ...last },
      expected: 'each event when it happens',
    });
  },
});
