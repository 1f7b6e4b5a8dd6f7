import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, endsInOrder, requireOk, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'resilience-rechunked-stream',
  title: 'Re-chunked stream',
  summary:
    'A stream comes in pieces of a few bytes, cut within characters and line ends; the client reads the same events.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  faults: true,
  hops: [{ from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    // Two, three and four bytes in UTF-8.
    const text = `${context.nonce()} é€😀`;
    const fault = context.fault({
      fault: 'rechunk',
      operation: 'SendStreamingMessage',
      sizeBytes: 7,
      vary: true,
    });
    const result = await context.stream({ text: `plugfest-echo ${text}` });
    context.require('the stream was re-chunked', fault.applied() === 1, 'no stream came');
    requireOk(context, 'SendStreamingMessage', result);
    const view = viewStream(result.events);
    checkState(context, 'the last state', view.lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_COMPLETED');
    const texts = [...view.artifacts.values()];
    context.check(
      'the text arrives as it was',
      texts.length === 1 && texts[0] === text,
      clip(texts.join(' | ')),
    );
    context.check(
      'the server closes the stream',
      endsInOrder(view),
      `closed by ${view.closedBy ?? 'nobody'}`,
    );
  },
});
