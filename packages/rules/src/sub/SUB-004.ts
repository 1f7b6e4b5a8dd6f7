import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { closesOnceTerminal } from '../sse/lingering.ts';

const subscribe = { method: 'SubscribeToTask', params: { id: 'task-1' } } as const;
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

export default defineRule({
  id: 'SUB-004',
  level: 'MUST',
  party: 'server',
  summary: 'The server closes a subscription once its task is terminal.',
  spec: { '1.0': '3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  about: ['SubscribeToTask'],
  messages: { open: 'The subscription stays open after event {event} showed {state}' },
  why: 'A client that waits for the end of the stream, as it may, waits for ever, and its connection stays in use. Where the capture has no times, the stream may have been closed a moment later, so there it is a warning.',
  fix: 'End all streams of a task right after the event with the terminal state.',
  examples: {
    good: [
      [rpcStream({ ...subscribe, events })],
      [restStream({ verb: 'GET', path: '/tasks/task-1:subscribe', events })],
    ],
    skip: [
      [rpcStream({ method: 'SendStreamingMessage', params: { message: v1.message('hello') }, events })],
      [rpcStream({ ...subscribe, events, end: 'client-abort' })],
    ],
    bad: [{ example: [rpcStream({ ...subscribe, events, end: 'open' })], messages: ['open'] }],
  },
  ...closesOnceTerminal('SubscribeToTask'),
});
