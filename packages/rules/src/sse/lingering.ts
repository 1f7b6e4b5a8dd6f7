import { isTerminal } from '@plugfest/a2a';
import type { CheckContext, Conversation, RuleContext, StreamSubject } from '@plugfest/verifier';
import { shownState } from '../shown-state.ts';

/** A server that closes at the terminal state is done within this time, even behind slow proxies. */
const graceNs = 10_000_000_000;

/** A stream at the moment when its task became terminal. */
export interface TerminalMoment {
  readonly state: string;
  readonly event: number;
  readonly pointer: string;
  /**
   * `closed`: the server ended the stream. `open`: it was still open well after, or when the record ended.
   * `unknown`: somebody else ended it, or the capture is cut, too soon to tell.
   */
  readonly outcome: 'closed' | 'open' | 'unknown';
}

type StreamingOperation = StreamSubject['operation'];

/** `when` and `check` of the rules that the server closes a stream once its task is terminal. */
export const closesOnceTerminal = (operation: StreamingOperation) => ({
  when: (stream: StreamSubject, { conversation }: RuleContext): boolean | 'undecidable' => {
    if (stream.operation !== operation) return false;
    const moment = terminalMoment(stream, conversation);
    if (moment === undefined) return false;
    return moment.outcome === 'unknown' ? 'undecidable' : true;
  },
  check: (stream: StreamSubject, { conversation, report }: CheckContext<'open'>): void => {
    const moment = terminalMoment(stream, conversation);
    if (moment?.outcome !== 'open') return;
    const { state, event, pointer } = moment;
    report('open', {
      ...outcomeOfLingering(stream),
      data: { event, state },
      at: { side: 'response', event, pointer },
      expected: 'the end of the stream',
    });
  },
});

/** When the task of a stream first showed a terminal state, and what became of the stream after that. */
function terminalMoment(
  { exchange, payloads, complete }: StreamSubject,
  conversation: Conversation,
): TerminalMoment | undefined {
  const payload = payloads.find((each) => isTerminal(shownState(each)));
  const state = payload && shownState(payload);
  if (payload === undefined || state === undefined) return undefined;
  const { event = 0, pointer } = payload;
  if (complete) return { state, event, pointer, outcome: 'closed' };
  const { end, timesSynthetic } = exchange.captured;
  const endNs = end.atNs ?? payload.atNs + graceNs;
  if (conversation.gapBetween(payload.atNs, endNs)) return { state, event, pointer, outcome: 'unknown' };
  const lingered =
    timesSynthetic === true
      ? end.kind === 'open'
      : end.atNs !== undefined && end.atNs - payload.atNs >= graceNs;
  return { state, event, pointer, outcome: lingered ? 'open' : 'unknown' };
}

/** Without times, "still open" may have been a moment after the event: then it is only a warning. */
function outcomeOfLingering({ exchange }: StreamSubject): { readonly outcome?: 'warn' } {
  return exchange.captured.timesSynthetic === true ? { outcome: 'warn' } : {};
}
