import type { Payload } from '@plugfest/a2a';
import type { StreamSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { shownState } from '../shown-state.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const working = { task: v1.task('WORKING') };
const asked = v1.statusUpdate('AUTH_REQUIRED');

/** The last time that the stream said AUTH_REQUIRED, and whether anything came after it. */
function waiting({
  payloads,
}: StreamSubject): { readonly payload: Payload; readonly wentOn: boolean } | undefined {
  const at = payloads.findLastIndex((payload) => shownState(payload) === 'TASK_STATE_AUTH_REQUIRED');
  const payload = payloads[at];
  return payload && { payload, wentOn: at < payloads.length - 1 };
}

export default defineRule({
  id: 'SSE-013',
  level: 'SHOULD',
  party: 'server',
  summary: 'A stream stays open while its task waits for an authorization.',
  spec: { '1.0': '7.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: {
    closed: 'The server closes the stream after event {event} said that authorization is required',
  },
  why: 'The credentials come to the agent by another way, and it goes on without a message: a client without a stream does not hear of it.',
  fix: 'Keep the stream open in TASK_STATE_AUTH_REQUIRED, unless the credentials are to come in a message of the client.',
  examples: {
    good: [
      [
        rpcStream({
          ...send,
          events: [working, asked, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')],
        }),
      ],
      [rpcStream({ ...send, events: [working, asked], end: 'client-abort' })],
    ],
    skip: [
      [rpcStream({ ...send, events: [working, v1.statusUpdate('INPUT_REQUIRED')] })],
      [rpcStream({ ...send, events: [working, asked], end: 'reset' })],
    ],
    bad: [
      { example: [rpcStream({ ...send, events: [working, asked] })], messages: ['closed'] },
      {
        example: [
          restStream({ verb: 'POST', path: '/message:stream', body: params, events: [working, asked] }),
        ],
        messages: ['closed'],
      },
    ],
  },
  when: (stream, { conversation }) => {
    const found = waiting(stream);
    if (found === undefined) return false;
    const { end } = stream.exchange.captured;
    if (found.wentOn) return true;
    if (!stream.complete) return end.kind === 'client-abort' || end.kind === 'open' ? true : 'undecidable';
    // What came after it may not have been recorded.
    return conversation.gapBetween(found.payload.atNs, end.atNs ?? found.payload.atNs) ? 'undecidable' : true;
  },
  check: (stream, { report }) => {
    const found = waiting(stream);
    if (found === undefined || found.wentOn || !stream.complete) return;
    const { event = 0, pointer } = found.payload;
    report('closed', {
      data: { event },
      at: { side: 'response', event, pointer },
      expected: 'an open stream',
      actual: 'the end of the stream',
    });
  },
});
