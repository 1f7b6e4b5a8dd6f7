import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1, v03 } from '@plugfest/verifier/examples';

const params = { message: v1.message('hello') };
const send = { method: 'SendStreamingMessage', params } as const;
const working = { task: v1.task('WORKING') };

export default defineRule({
  id: 'SSE-014',
  level: 'MUST',
  party: 'server',
  summary: 'A `statusUpdate` names its task and context and says the state.',
  spec: { '1.0': '4.2.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { missing: 'The statusUpdate of event {event} has no `{member}`' },
  why: 'Clients that follow several tasks sort events by these members; strict ones refuse an event without them.',
  fix: 'Set `taskId`, `contextId` and `status.state` in every status update, as non-empty strings.',
  examples: {
    good: [
      [rpcStream({ ...send, events: [working, v1.statusUpdate('COMPLETED')] })],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: params,
          events: [working, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [
      [rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpcStream({ ...send, events: [working, v1.statusUpdate('COMPLETED', { contextId: undefined })] }),
        ],
        messages: ['missing'],
      },
      {
        example: [rpcStream({ ...send, events: [working, v1.statusUpdate('COMPLETED', { taskId: '' })] })],
        messages: ['missing'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some(({ kind }) => kind === 'statusUpdate'),
  check: ({ payloads }, { report }) => {
    for (const payload of payloads) {
      if (payload.kind !== 'statusUpdate') continue;
      const { taskId, contextId, status } = payload.update;
      const { event = 0, pointer } = payload;
      const members = { taskId, contextId, 'status.state': status.rawState };
      for (const [member, value] of Object.entries(members)) {
        if (value !== undefined && value !== null && value !== '') continue;
        report('missing', {
          data: { event, member },
          at: { side: 'response', event, pointer: `${pointer}/${member.replace('.', '/')}` },
          expected: 'a non-empty string',
          actual: value,
        });
      }
    }
  },
});
