import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { openingOf } from './opening.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const post = { verb: 'POST', path: '/message:stream', body: params } as const;

export default defineRule({
  id: 'SSE-006',
  level: 'MUST',
  party: 'server',
  summary: 'A stream that begins with a Message holds nothing else.',
  spec: { '1.0': '3.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { more: 'Event {event} follows the Message that the stream began with: {found}' },
  why: 'A client takes the Message as the whole answer and stops reading, so what follows never reaches the user.',
  fix: 'Answer with one complete Message and close the stream; use a Task where the answer comes in pieces.',
  examples: {
    good: [
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [restStream({ ...post, events: [{ message: v1.reply('hi') }] })],
    ],
    skip: [[rpcStream({ ...send, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] })]],
    bad: [
      {
        example: [
          rpcStream({ ...send, events: [{ message: v1.reply('hi') }, { message: v1.reply('there') }] }),
        ],
        messages: ['more'],
      },
      {
        example: [
          restStream({ ...post, events: [{ message: v1.reply('hi') }, v1.statusUpdate('COMPLETED')] }),
        ],
        messages: ['more'],
      },
    ],
  },
  when: (stream) => {
    if (openingOf(stream)?.payload?.kind !== 'message') return false;
    return stream.events.length > 1 || stream.complete ? true : 'undecidable';
  },
  check: ({ events, payloads }, { report }) => {
    const payloadOf = new Map(payloads.map((payload) => [payload.event, payload]));
    for (const { index, error } of events.slice(1)) {
      const payload = payloadOf.get(index);
      report('more', {
        data: { event: index, found: payload?.kind ?? (error === undefined ? 'another event' : 'an error') },
        at: { side: 'response', event: index, pointer: payload?.pointer ?? '' },
        expected: 'the end of the stream',
      });
    }
  },
});
