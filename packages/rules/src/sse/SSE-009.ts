import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { closesOnceTerminal } from './lingering.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const post = { verb: 'POST', path: '/message:stream', body: params } as const;
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

export default defineRule({
  id: 'SSE-009',
  level: 'MUST',
  party: 'server',
  summary: 'The server closes the stream of a message once its task is terminal.',
  spec: { '1.0': '3.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { open: 'The stream stays open after event {event} showed {state}' },
  why: '1.0 has no final flag: a client that waits for the end of the stream, as it may, waits for ever. Where the capture has no times, the stream may have been closed a moment later, so there it is a warning.',
  fix: 'End the response right after the event with the terminal state.',
  examples: {
    good: [[rpcStream({ ...send, events })], [restStream({ ...post, events })]],
    skip: [
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [rpcStream({ ...send, events, end: 'client-abort' })],
    ],
    bad: [{ example: [rpcStream({ ...send, events, end: 'open' })], messages: ['open'], outcomes: ['warn'] }],
  },
  ...closesOnceTerminal('SendStreamingMessage'),
});
