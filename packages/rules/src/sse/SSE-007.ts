import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { openingOf } from './opening.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const post = { verb: 'POST', path: '/message:stream', body: params } as const;

export default defineRule({
  id: 'SSE-007',
  level: 'MUST',
  party: 'server',
  summary:
    'After the Task that opens a stream come status and artifact updates; a Task again only as the last event.',
  spec: { '1.0': '3.1.2, 11.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { task: 'Event {event} is another Task snapshot in the middle of the stream' },
  why: 'Clients treat a Task as the start of a stream: some create a second task, some throw away what they had.',
  fix: 'Report changes as `statusUpdate` and `artifactUpdate`; send the Task again, if at all, as the last event.',
  examples: {
    good: [
      [
        rpcStream({
          ...send,
          events: [
            { task: v1.task('WORKING') },
            v1.statusUpdate('COMPLETED'),
            { task: v1.task('COMPLETED') },
          ],
        }),
      ],
      [restStream({ ...post, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] })],
    ],
    skip: [
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [rpcStream({ ...send, events: [{ task: v1.task('COMPLETED') }] })],
    ],
    bad: [
      {
        example: [
          rpcStream({
            ...send,
            events: [
              { task: v1.task('SUBMITTED') },
              { task: v1.task('WORKING') },
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['task'],
      },
    ],
  },
  when: (stream) => openingOf(stream)?.payload?.kind === 'task' && stream.events.length > 1,
  check: ({ events, payloads }, { report }) => {
    const last = events.length - 1;
    for (const { kind, event = 0, pointer } of payloads) {
      if (kind !== 'task' || event === 0 || event === last) continue;
      report('task', {
        data: { event },
        at: { side: 'response', event, pointer },
        expected: 'a statusUpdate or artifactUpdate',
        actual: kind,
      });
    }
  },
});
