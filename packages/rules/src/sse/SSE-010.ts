import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { restStream, rpcStream, v1 } from '@plugfest/verifier/examples';
import { shownState } from '../shown-state.ts';

const send = { method: 'SendStreamingMessage', params: { message: v1.message('hello') } } as const;

export default defineRule({
  id: 'SSE-010',
  level: 'MUST',
  party: 'server',
  summary: 'Nothing follows a terminal status on a stream.',
  spec: { '1.0': '3.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'stream',
  messages: { after: 'Event {event} follows the terminal state {state} of event {terminal}' },
  why: 'Clients close or stop reading at the terminal state, so what comes later is lost or read as a new task.',
  fix: 'Send every artifact before the terminal status and close the stream right after it.',
  examples: {
    good: [
      [
        rpcStream({
          ...send,
          events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')],
        }),
      ],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: { message: v1.message('hello') },
          events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [[rpcStream({ ...send, events: [{ message: v1.reply('hi') }] })]],
    bad: [
      {
        example: [
          rpcStream({
            ...send,
            events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED'), v1.artifactUpdate('late')],
          }),
        ],
        messages: ['after'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some((payload) => isTerminal(shownState(payload))),
  check: ({ payloads }, { report }) => {
    const end = payloads.findIndex((payload) => isTerminal(shownState(payload)));
    const terminal = payloads[end];
    if (!terminal) return;
    for (const payload of payloads.slice(end + 1)) {
      // A last snapshot of the task is tolerated (sections 3.1.2 and 11.7 differ).
      if (payload.kind === 'task') continue;
      report('after', {
        data: { event: payload.event, state: shownState(terminal), terminal: terminal.event },
        at: { side: 'response', event: payload.event ?? 0, pointer: payload.pointer },
        expected: 'the end of the stream',
        actual: payload.kind,
      });
    }
  },
});
