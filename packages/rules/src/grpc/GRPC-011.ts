import { isTerminal } from '@plugfest/a2a';
import type { StreamSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpcBytes, grpcFrame, grpcStream, v1 } from '@plugfest/verifier/examples';
import { shownState } from '../shown-state.ts';
import { elsewhere, faultless10, getTaskBytes } from './calls.ts';
import { isWrittenAsJson } from './messages.ts';
import { message, text, varint } from './wire-bytes.ts';

const send = { method: 'SendStreamingMessage', request: { message: v1.message('hello') } } as const;
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];
const completed = grpcFrame(message(1, text(1, 'task-1'), text(2, 'ctx-1'), message(3, varint(1, 3))));

/** What a client brings about itself. */
const byClient: ReadonlySet<string | undefined> = new Set(['CANCELLED', 'DEADLINE_EXCEEDED']);

/** The last word of the stream: a direct answer, or a task at its end. */
function isOver({ payloads }: StreamSubject): boolean {
  const last = payloads.at(-1);
  return last !== undefined && (last.kind === 'message' || isTerminal(shownState(last)));
}

export default defineRule({
  id: 'GRPC-011',
  level: 'MUST',
  party: 'server',
  summary: 'A stream ends with trailers, and with the status OK after its last event.',
  spec: { '1.0': '10.7' },
  bindings: ['GRPC'],
  scope: 'stream',
  messages: {
    trailers: 'The stream ends without a status',
    status: 'The stream ends with {status} after its last event',
  },
  why: 'Clients of gRPC report a stream without OK as failed, and throw away the answer that it brought.',
  fix: 'Return from the handler after the last event and leave the status to the library; report the failure of a task as TASK_STATE_FAILED.',
  examples: {
    good: [faultless10.stream, [grpcStream({ ...send, events: [{ message: v1.reply('hi') }] })]],
    skip: [
      faultless10.get,
      elsewhere,
      [grpcStream({ ...send, events, status: null })],
      [grpcStream({ ...send, events: [] })],
      // What broke off had no end.
      [
        grpcBytes({
          method: 'SubscribeToTask',
          request: [getTaskBytes],
          response: [completed],
          trailers: {},
          end: 'reset',
        }),
      ],
    ],
    bad: [
      { example: [grpcStream({ ...send, events, status: 'INTERNAL' })], messages: ['status'] },
      {
        example: [grpcStream({ ...send, events: [{ task: v1.task('COMPLETED') }], status: 'UNKNOWN' })],
        messages: ['status'],
      },
      {
        example: [
          grpcBytes({
            method: 'SubscribeToTask',
            request: [getTaskBytes],
            response: [completed],
            trailers: {},
          }),
        ],
        messages: ['trailers'],
      },
    ],
  },
  when: (stream) => {
    const { captured, response } = stream.exchange;
    if (response?.grpcStatus !== undefined) return isOver(stream);
    // Trailers that an import had no place for were there all the same.
    if (isWrittenAsJson(stream.exchange)) return 'undecidable';
    const body = captured.response?.body;
    const ended = captured.end.kind === 'complete' && body?.endedAtNs !== undefined;
    return ended && body.storedBytes === body.totalBytes ? true : 'undecidable';
  },
  check: ({ exchange }, { report }) => {
    const status = exchange.response?.grpcStatus;
    if (status === undefined)
      report('trailers', { at: { side: 'response' }, expected: 'the trailer grpc-status' });
    else if (status.code !== 0 && !byClient.has(status.name))
      report('status', {
        data: { status: status.name ?? status.text },
        at: { side: 'response', header: 'grpc-status' },
        expected: 'OK',
        actual: status.name ?? status.text,
      });
  },
});
