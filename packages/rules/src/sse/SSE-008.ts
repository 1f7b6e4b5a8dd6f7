import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { followsTask } from './opening.ts';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const post = { verb: 'POST', path: '/message:stream', body: params } as const;
const thought = { message: v1.reply('thinking', { taskId: 'task-1' }) };

export default defineRule({
  id: 'SSE-008',
  level: 'MUST',
  party: 'server',
  summary: 'A stream that follows a task carries no Message events.',
  spec: { '1.0': '3.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { message: 'Event {event} is a Message inside the stream of a task' },
  why: 'A Message event means "this is the whole answer": clients end the stream there, or drop it as out of place.',
  fix: 'Put what the agent has to say into the `message` of a status update, and results into artifacts.',
  examples: {
    good: [
      [rpcStream({ ...send, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] })],
      [restStream({ ...post, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] })],
    ],
    skip: [[rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })]],
    bad: [
      {
        example: [
          rpcStream({
            ...send,
            events: [{ task: v1.task('WORKING') }, thought, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['message'],
      },
    ],
  },
  when: (stream) => followsTask(stream) && stream.events.length > 1,
  check: ({ payloads }, { report }) => {
    for (const { kind, event = 0, pointer } of payloads) {
      if (kind !== 'message') continue;
      report('message', {
        data: { event },
        at: { side: 'response', event, pointer },
        expected: 'a statusUpdate or artifactUpdate',
        actual: kind,
      });
    }
  },
});
