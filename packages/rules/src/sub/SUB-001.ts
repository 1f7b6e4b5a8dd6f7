import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';
import { isOpeningLost, openingOf } from '../sse/opening.ts';

const subscribe = { method: 'SubscribeToTask', params: { id: 'task-1' } } as const;
const post = { verb: 'POST', path: '/tasks/task-1:subscribe' } as const;
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];

export default defineRule({
  id: 'SUB-001',
  level: 'MUST',
  party: 'server',
  summary: 'A subscription begins with the Task in its current state.',
  spec: { '1.0': '3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  about: ['SubscribeToTask'],
  messages: {
    first: 'The subscription begins with {found} instead of the Task',
    nothing: 'The subscription ends without a single event',
  },
  why: 'What happened between the last look at the task and the subscription is in this snapshot only; without it, it is lost.',
  fix: 'Send the whole Task as the first event, then the updates that come after it.',
  examples: {
    good: [[rpcStream({ ...subscribe, events })], [restStream({ ...post, events })]],
    skip: [
      [rpcStream({ method: 'SendStreamingMessage', params: { message: v1.message('hello') }, events })],
      [
        rpcStream({
          version: '0.3',
          method: 'tasks/resubscribe',
          params: { id: 'task-1' },
          events: [v03.statusUpdate('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpcStream({ ...subscribe, events: [v1.statusUpdate('WORKING'), v1.statusUpdate('COMPLETED')] }),
        ],
        messages: ['first'],
      },
      { example: [restStream({ ...post, events: [] })], messages: ['nothing'] },
    ],
  },
  when: (stream) => {
    if (stream.operation !== 'SubscribeToTask') return false;
    if (stream.events.length === 0) return stream.complete ? true : 'undecidable';
    if (isOpeningLost(stream)) return 'undecidable';
    return openingOf(stream)?.payload !== undefined;
  },
  check: (stream, { report }) => {
    const payload = openingOf(stream)?.payload;
    if (payload === undefined) report('nothing', { at: { side: 'response' }, expected: 'a Task' });
    else if (payload.kind !== 'task')
      report('first', {
        data: { found: payload.kind },
        at: placeOf(payload),
        expected: 'a Task',
        actual: payload.kind,
      });
  },
});
