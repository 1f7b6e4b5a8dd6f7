import { isInterrupted, isTerminal } from '@plugfest/a2a';
import type { StreamSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { shownState } from '../shown-state.ts';
import { followsTask } from './opening.ts';

const send = { version: '0.3', method: 'message/stream', params: { message: v03.message('hello') } } as const;

export default defineRule({
  id: 'SSE-031',
  level: 'MUST',
  party: 'server',
  summary: 'A 0.x task stream ends with the one status update that says `final: true`.',
  spec: { '0.2': '9.3', '0.3': '9.3' },
  bindings: ['JSONRPC'],
  scope: 'stream',
  messages: {
    after: 'Event {event} follows the final status update of event {final}',
    never: 'The stream ends, with the task {state}, and no status update was final',
  },
  why: 'Clients of 0.2 and 0.3 stop at `final: true`: they miss what comes later, or wait in vain for it to come. A stream that closes with a snapshot of the finished task, after updates, gets a warning only: the text does not speak of it.',
  fix: 'Close every stream with a status update that has `final: true`, and send nothing after it.',
  examples: {
    good: [
      [
        rpcStream({
          ...send,
          events: [v03.task('submitted'), v03.artifactUpdate('answer'), v03.statusUpdate('completed')],
        }),
      ],
      [rpcStream({ ...send, events: [v03.task('working'), v03.statusUpdate('input-required')] })],
    ],
    skip: [
      [rpcStream({ ...send, events: [v03.reply('hi')] })],
      [rpcStream({ ...send, events: [v03.task('completed')] })],
      [rpcStream({ ...send, events: [v03.task('working')], end: 'client-abort' })],
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
            events: [v03.task('working'), v03.statusUpdate('completed'), v03.artifactUpdate('late')],
          }),
        ],
        messages: ['after'],
      },
      { example: [rpcStream({ ...send, events: [v03.task('working')] })], messages: ['never'] },
      {
        example: [rpcStream({ ...send, events: [v03.statusUpdate('working'), v03.task('completed')] })],
        messages: ['never'],
      },
    ],
  },
  when: (stream) => {
    if (!followsTask(stream) || isFinishedTaskOnly(stream)) return false;
    if (finalEvent(stream) !== undefined) return true;
    if (stream.events.some(({ error }) => error !== undefined)) return false;
    const readToTheEnd = stream.complete && stream.events.every(({ json }) => json.state !== 'too-large');
    return readToTheEnd ? true : 'undecidable';
  },
  check: (stream, { report }) => {
    const final = finalEvent(stream);
    if (final !== undefined) {
      for (const { event = 0, pointer, kind } of stream.payloads) {
        if (event <= final) continue;
        report('after', {
          data: { event, final },
          at: { side: 'response', event, pointer },
          expected: 'the end of the stream',
          actual: kind,
        });
      }
      return;
    }
    const last = stream.payloads.at(-1);
    const state = stream.payloads.map(shownState).findLast((each) => each !== undefined);
    const closedBySnapshot =
      last?.kind === 'task' &&
      (isTerminal(state) || isInterrupted(state)) &&
      stream.payloads.some(({ kind }) => kind === 'statusUpdate');
    report('never', {
      ...(closedBySnapshot ? { outcome: 'warn' as const } : {}),
      data: { state },
      at: { side: 'response', event: stream.events.length - 1 },
      expected: 'a status update with `final: true`',
    });
  },
});

/** Index of the first event that says `final: true`. */
function finalEvent({ payloads }: StreamSubject): number | undefined {
  return payloads.find((payload) => payload.kind === 'statusUpdate' && payload.update.final === true)?.event;
}

/** A task that is finished at once may be the whole stream. */
function isFinishedTaskOnly({ payloads }: StreamSubject): boolean {
  const [only, second] = payloads;
  if (only?.kind !== 'task' || second !== undefined) return false;
  const state = shownState(only);
  return isTerminal(state) || isInterrupted(state);
}
