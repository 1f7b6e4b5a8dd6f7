import { defineRule } from '@plugfest/verifier';
import { rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const send = { version: '0.3', method: 'message/stream', params: { message: v03.message('hello') } } as const;

export default defineRule({
  id: 'SSE-030',
  level: 'MUST',
  party: 'server',
  summary: 'A 0.x status update says with a boolean `final` whether it is the last of the stream.',
  spec: { '0.2': '7.2.2', '0.3': '7.2.2' },
  bindings: ['JSONRPC'],
  scope: 'stream',
  messages: {
    absent: 'The status update of event {event} has no `final`',
    type: 'The `final` of event {event} is {found} instead of a boolean',
  },
  why: 'Clients of 0.2 and 0.3 stop at `final: true`; typed ones refuse an event without the member.',
  fix: 'Set `final` in every status update: true in the last one of the stream, false before.',
  examples: {
    good: [[rpcStream({ ...send, events: [v03.task('working'), v03.statusUpdate('completed')] })]],
    skip: [
      [rpcStream({ ...send, events: [v03.reply('hi')] })],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: { message: v1.message('hello') },
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpcStream({
            ...send,
            events: [
              v03.task('submitted'),
              v03.statusUpdate('working', { final: undefined }),
              v03.statusUpdate('completed'),
            ],
          }),
        ],
        messages: ['absent'],
      },
      {
        example: [
          rpcStream({
            ...send,
            events: [v03.task('working'), v03.statusUpdate('completed', { final: 'true' })],
          }),
        ],
        messages: ['type'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some(({ kind }) => kind === 'statusUpdate'),
  check: ({ payloads }, { report }) => {
    for (const payload of payloads) {
      if (payload.kind !== 'statusUpdate') continue;
      const { final } = payload.update;
      if (typeof final === 'boolean') continue;
      const { event = 0, pointer } = payload;
      report(final === undefined ? 'absent' : 'type', {
        data: { event, found: final },
        at: { side: 'response', event, pointer: `${pointer}/final` },
        expected: 'true or false',
        actual: final,
      });
    }
  },
});
