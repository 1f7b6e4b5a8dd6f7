import { defineRule } from '@plugfest/verifier';
import { restStream, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { isOpeningLost, openingOf } from './opening.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const post = { verb: 'POST', path: '/message:stream', body: params } as const;

export default defineRule({
  id: 'SSE-005',
  level: 'MUST',
  party: 'server',
  summary: 'A stream that answers a message begins with the Task or with a Message.',
  spec: { '1.0': '3.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  about: ['SendStreamingMessage'],
  messages: {
    first: 'The stream begins with {found} instead of a Task or Message',
    nothing: 'The stream ends without a single event',
  },
  why: 'The Task at the start gives the client the task to attach all later events to; without it they are lost.',
  fix: 'Send the Task, in whatever state it is, as the first event, before any status or artifact update.',
  examples: {
    good: [
      [rpcStream({ ...send, events: [{ task: v1.task('SUBMITTED') }, v1.statusUpdate('COMPLETED')] })],
      [restStream({ ...post, events: [{ message: v1.reply('hi') }] })],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        rpcStream({
          method: 'SubscribeToTask',
          params: { id: 'task-1' },
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    bad: [
      {
        example: [rpcStream({ ...send, events: [v1.statusUpdate('WORKING'), v1.statusUpdate('COMPLETED')] })],
        messages: ['first'],
      },
      { example: [restStream({ ...post, events: [] })], messages: ['nothing'] },
    ],
  },
  when: (stream) => {
    if (stream.operation !== 'SendStreamingMessage') return false;
    if (stream.events.length === 0) return stream.complete ? true : 'undecidable';
    if (isOpeningLost(stream)) return 'undecidable';
    return openingOf(stream)?.payload !== undefined;
  },
  check: (stream, { report }) => {
    const payload = openingOf(stream)?.payload;
    const expected = 'a Task or a Message';
    if (payload === undefined) report('nothing', { at: { side: 'response' }, expected });
    else if (payload.kind !== 'task' && payload.kind !== 'message')
      report('first', {
        data: { found: payload.kind },
        at: { side: 'response', event: payload.event ?? 0, pointer: payload.pointer },
        expected,
        actual: payload.kind,
      });
  },
});
